"""Where agents keep their sessions on this machine, and the one door by which their files are read. Writes, locks, follows and runs nothing."""
