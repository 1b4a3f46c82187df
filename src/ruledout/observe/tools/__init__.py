"""One module a toolchain: what its output says, without a verdict. None knows another."""
