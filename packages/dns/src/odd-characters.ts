/**
 * Characters outside ASCII that come from word processors, web pages and chats. Between the words of a zone file, their meaning is clear, and
 * no zone file has them on purpose.
 */

/** Whether a character is a space outside ASCII, such as U+00A0. */
export function isOddSpace(code: number): boolean {
  return (
    code === 0xa0 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000
  )
}

/**
 * Whether a character has no width and no meaning in a name: soft hyphen, zero-width space, direction mark, byte order mark. The joiners
 * U+200C and U+200D are letters of some names (RFC 5892 §A).
 */
export function isInvisible(code: number): boolean {
  return (
    code === 0xad ||
    code === 0x200b ||
    code === 0x200e ||
    code === 0x200f ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2060 && code <= 0x2069) ||
    code === 0xfeff
  )
}

export function withoutInvisible(text: string): string {
  return text.replace(/[^\x00-\x7f]/g, (character) => (isInvisible(character.charCodeAt(0)) ? '' : character))
}

/** Whether a character is a Unicode line end (NEL, LS, PS), which DNS software does not treat as one. */
export function isLineSeparator(code: number): boolean {
  return code === 0x85 || code === 0x2028 || code === 0x2029
}

/** Double quotation marks as word processors write them. */
export const curlyQuotes = '“”„‟«»＂'

/** Whether a character is one of them. Which of them opens and which closes depends on the language. */
export function opensCurly(code: number): boolean {
  return code > 0x7f && curlyQuotes.includes(String.fromCharCode(code))
}

/** The same, or the ASCII one. */
export function closesCurly(code: number): boolean {
  return code === 0x22 || opensCurly(code)
}
