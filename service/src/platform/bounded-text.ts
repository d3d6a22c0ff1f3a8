/** Maximum number of characters of a caller's text that a message or a log line repeats. */
export const maxQuoted = 200

/** Maximum number of characters in a whole message. */
const maxMessage = 1_000

/** A run of characters that is longer than a message may repeat, and the quotation marks before it. */
const longRun = new RegExp(`([\`"]{0,2})(\\S{${maxQuoted + 1},})`, 'g')

/** The first characters of a text, with an ellipsis if there are more. Never half a surrogate pair. */
export function firstCharacters(text: string, most = maxQuoted): string {
  return text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text
}

/**
 * Shortens a message so that it repeats no more of an input than allowed.
 *
 * Messages quote names, types and values, which have no white space, so runs without white space are cut. Code that quotes text
 * with white space must shorten it with `firstCharacters` itself.
 */
export function boundedMessage(message: string): string {
  if (message.length <= maxQuoted) return message
  return firstCharacters(message, maxMessage).replaceAll(
    longRun,
    (_, marks: string, run: string) => marks + firstCharacters(run),
  )
}
