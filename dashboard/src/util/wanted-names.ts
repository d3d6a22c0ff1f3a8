/** The maximum number of names that are looked up at once, which is the length of the list of results. */
export const mostNames = 100
/** The maximum number of names in one call of the API. */
const namesACall = 50

/** The names that someone wants to buy, found in any typed or pasted text: words, URLs, lists with commas or lines. */
export function wantedWordsOf(text: string): string[] {
  const words = text
    .toLowerCase()
    .split(/[\s,;|]+/)
    .map((word) =>
      word
        .replace(/^[a-z][a-z0-9+.-]*:\/\//, '')
        .replace(/^[^@/]*@/, '')
        .replace(/[/?#:].*$/, '')
        .replace(/^www\./, '')
        .replaceAll(/^[."'<([{]+|[."'>)\]}!?]+$/g, ''),
    )
    .filter((word) => word !== '')
  return [...new Set(words)]
}

/**
 * The names to look up, in calls of the API: a word without a dot is combined with each TLD. `beyond`: the number of names that are not looked
 * up.
 */
export function callsFor(words: readonly string[], tlds: readonly string[]): { calls: string[][]; beyond: number } {
  const all = [...new Set(words.flatMap((word) => (word.includes('.') ? [word] : tlds.map((tld) => `${word}.${tld}`))))]
  const names = all.slice(0, mostNames)
  const calls: string[][] = []
  for (let i = 0; i < names.length; i += namesACall) calls.push(names.slice(i, i + namesACall))
  return { calls, beyond: all.length - names.length }
}
