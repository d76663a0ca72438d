/** What JSON is made of, as bytes. */
export const [QUOTE, COMMA, ZERO, NINE, COLON, BACKSLASH] = [0x22, 0x2c, 0x30, 0x39, 0x3a, 0x5c] as const;
export const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d] as const;
