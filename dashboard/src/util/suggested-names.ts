/** The names that one call of the API checks (`callsFor`). */
const mostNames = 50
const longestLabel = 63

/**
 * Names that may interest someone who searches for these words: `Ngozi Cakes` leads to `ngozicakes`, `ngozi-cakes` and so on, under each TLD. Empty
 * for lists, URLs and complete names. Registries decide which are available.
 */
export function suggestedNames(text: string, tlds: readonly string[]): string[] {
  if (/[.,;:|/@\n]/.test(text.trim())) return []
  const words = text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll("'", '')
    .replaceAll('’', '')
    .replaceAll('&', ' and ')
    .split(/[^\p{L}\p{N}-]+/u)
    .map((word) => word.replaceAll(/^-+|-+$/g, ''))
    .filter((word) => word !== '')
  // A word in another script is looked up as it is. Joining it could mix scripts.
  if (words.length === 0 || words.length > 5 || words.some((word) => !/^[a-z0-9-]+$/.test(word))) return []
  const joined = words.join('')
  const labels = [
    ...(words.length > 1 ? [joined, words.join('-')] : []),
    `my${joined}`,
    `${joined}shop`,
    `${joined}online`,
    `the${joined}`,
  ]
  const valid = [...new Set(labels)].filter((label) => label.length <= longestLabel && label.slice(2, 4) !== '--')
  return valid.flatMap((label) => tlds.map((tld) => `${label}.${tld}`)).slice(0, mostNames)
}
