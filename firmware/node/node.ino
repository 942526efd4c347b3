// The node of the table, as an Arduino sketch. All of it is under src/; see src/hal_avr/main.cpp.
