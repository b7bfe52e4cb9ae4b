"""A commander that leads an army by plan, brigade mission and unit slot, under any rule system."""
