/** Characters of a caller's text that a message or a log line repeats at most. */
export const maxQuoted = 200

/** Characters of a whole message. */
const maxMessage = 1_000

const longRun = new RegExp(`\\S{${maxQuoted + 1},}`, 'g')

/** The first characters of a text, with an ellipsis if there are more. Never half a surrogate pair. */
export function firstCharacters(text: string, most = maxQuoted): string {
  return text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text
}

/**
 * A message without more of an input than a message may repeat.
 *
 * A message quotes names, types and values, which have no white space; a run without any is cut. Whatever quotes a text
 * that may have white space cuts it with `firstCharacters` itself.
 */
export function boundedMessage(message: string): string {
  if (message.length <= maxQuoted) return message
  return firstCharacters(message, maxMessage).replaceAll(longRun, (run) => firstCharacters(run))
}
