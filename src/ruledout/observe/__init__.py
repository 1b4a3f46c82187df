"""What a run showed: one module a toolchain, a signature of three levels. Text in, values out."""
