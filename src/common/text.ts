/** What people count, and the contract: `length` counts UTF-16 units, two for each letter beyond the first 65,536. */
export function characterCount(text: string): number {
  return Array.from(text).length;
}

/** Never half a character. */
export function firstCharacters(text: string, most: number): string {
  return text.length <= most
    ? text
    : Array.from(text.slice(0, most * 2))
        .slice(0, most)
        .join('');
}

/** One spelling for what looks the same: accents may be typed as letters of their own. */
export function oneSpelling(text: string): string {
  return text.trim().normalize('NFC');
}

/** Control and format characters, which no reader sees: with them, two names look alike and a line reads backwards. */
export function hasUnseen(text: string): boolean {
  return /[\p{Cc}\p{Cf}]/u.test(text);
}

/** PostgreSQL keeps no NUL, and half of a surrogate pair is not a character. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** With the sign for an unknown character in place of what could not be kept. */
export function storable(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed();
}
