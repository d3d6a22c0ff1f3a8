import { z } from 'zod'

/**
 * Control characters, line and paragraph separators, characters that control the direction of text (the Unicode properties Cc, Zl, Zp and
 * Bidi_Control), and other invisible characters. With them, a name can look like another one or like more than one line. No name needs
 * them. The joiners U+200C and U+200D, which Persian and emoji need, are not among them.
 */
const controls = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\u00ad\u200b\u2060-\u206f\ufeff\ufff9-\ufffb]/u
const allControls = new RegExp(controls, 'gu')

/** A sentence that says what is wrong with a text that some people choose and others read, such as a name; undefined: nothing. */
export function displayFault(text: string): string | undefined {
  const found = controls.exec(text)
  if (found === null) return undefined
  const position = [...text.slice(0, found.index)].length + 1
  return `Remove the character ${codePoint(found[0])} at position ${position}: control, bidirectional and invisible characters are not allowed.`
}

/** A text with its control, bidirectional and invisible characters as visible escapes: U+202E becomes `\u202e`. Other text stays as it is. */
export function displayText(text: string): string {
  return text.replaceAll(allControls, (character) => `\\u${hex(character)}`)
}

/** A text in double quotes, as a message repeats what a caller sent: `displayText` of its JSON. */
export function displayQuoted(text: string): string {
  return displayText(JSON.stringify(text))
}

/** Data as JSON has it, with `displayText` applied to every value that is a text. */
export function displayData<T>(data: T): T {
  return JSON.parse(JSON.stringify(data), (_, value: unknown) =>
    typeof value === 'string' ? displayText(value) : value,
  )
}

/** The code point of a character as U+00A0, for characters below U+10000. */
export function codePoint(character: string): string {
  return `U+${hex(character).toUpperCase()}`
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, '0')
}

/** A text that people choose and others read. */
export const chosenText = z.string().check(({ value, issues }) => {
  const message = displayFault(value)
  if (message !== undefined) issues.push({ code: 'custom', input: value, message, params: { code: 'bad_character' } })
})
