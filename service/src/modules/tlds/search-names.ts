import type { WireCheckedName } from '@zonewright/contract'
import { serviceNamesOf } from '#modules/zones/index.ts'
import { checkNames, namesOf } from './check-names.ts'
import type { TldRoutesContext } from './routes.ts'

/** Maximum number of names that one search without sign-in queries at registries. */
const mostSearched = 12

/**
 * Searches for the first word of a text, or the host of a URL, without `www.`. A word without a dot is looked up below the first TLDs that
 * are sold. Available names come first.
 */
export async function searchNames(
  { tlds, registries, nameservers }: TldRoutesContext,
  text: string,
): Promise<WireCheckedName[]> {
  const word = wordIn(text)
  if (word === '') return []
  const endings = tlds.map(({ tld }) => tld)
  const names = namesOf([word], endings).slice(0, mostSearched)
  const found = await checkNames(registries, tlds, names, serviceNamesOf(nameservers))
  return found.toSorted((a, b) => Number(b.available) - Number(a.available))
}

function wordIn(text: string): string {
  return (text.trim().toLowerCase().split(/\s+/)[0] ?? '')
    .replace(/^[a-z][a-z0-9+.-]*:\/\//, '')
    .replace(/^[^@/]*@/, '')
    .replace(/[/?#:].*$/, '')
    .replace(/^www\.(?=[^.]+\.)/, '')
    .replaceAll(/^[.,]+|[.,!]+$/g, '')
}
