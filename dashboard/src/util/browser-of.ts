import { displayText } from '@zonewright/contract'

/** Common names of browsers, in the order in which they must be searched for. */
const browsers = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'] as const
const named: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera' }
const systems = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS', 'Linux'] as const

/** A browser and its operating system, from the User-Agent header. */
export function browserOf(userAgent: string): string {
  const browser = browsers.find((name) => userAgent.includes(`${name}/`))
  const system = systems.find((name) => userAgent.includes(name))
  if (browser === undefined) return userAgent === '' ? 'An unknown program' : displayText(userAgent.slice(0, 60))
  return `${named[browser] ?? browser}${system === undefined ? '' : ` on ${system}`}`
}
