const maxListed = 10

/** Names on one line; of many, only the first ten. */
export function listText(names: readonly string[]): string {
  const listed = names.slice(0, maxListed).join(', ')
  return names.length <= maxListed ? listed : `${listed} and ${names.length - maxListed} more`
}
