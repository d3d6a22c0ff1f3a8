/** JSON with one member or entry per line. Text that is not JSON, and JSON of more than this number of characters, stays unchanged. */
export function prettyJson(text: string, most: number): string {
  if (text.length > most) return text
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
