"""The commander for any rule system: army plans, brigade missions and slots of units in lines."""
