"""Question in, ranked `Evidence` out (HiQA section 3.3)."""
