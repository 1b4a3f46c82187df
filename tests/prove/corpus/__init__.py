"""Small repositories, written for these tests: honest fixes in many styles, and wrong ones that look right."""
