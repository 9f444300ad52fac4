"""The program's version, where every room can read it."""

VERSION = "0.2.0"
