// See the header.
