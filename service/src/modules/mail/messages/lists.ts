const maxListed = 10

/** Names on one line; only the first ten, if there are more. */
export function listText(names: readonly string[]): string {
  const listed = names.slice(0, maxListed).join(', ')
  return names.length <= maxListed ? listed : `${listed} and ${names.length - maxListed} more`
}
