import { maxParameterLength } from '@zonewright/contract'
import { parametersOf } from '#modules/presets/index.ts'
import { type FaultDetail, Refusal } from '#platform/errors.ts'
import { type ConnectTemplate, ownParameters } from './connect-template.ts'

/** The link of a service provider, unchanged: the path and query of the apply page. */
export interface ConnectRequest {
  readonly providerId: string
  readonly serviceId: string
  /** The query without `sig` and `key`, in its original order and encoding. The signature covers this text. */
  readonly signedText: string
  readonly parameters: ReadonlyMap<string, string>
}

const applyPath = /^\/v2\/domainTemplates\/providers\/([^/?#]+)\/services\/([^/?#]+)\/apply\?([^#]*)$/

/** The maximum number of parameters of a link. No template has more. */
const maxParameters = 200

/**
 * Parses the path and query of a link.
 *
 * Throws a Refusal for a parameter that appears twice, because it would not be clear which of the two values the signature covers.
 */
export function parseConnectRequest(target: string): ConnectRequest {
  const [, provider, service, query = ''] = applyPath.exec(target) ?? []
  const providerId = decoded(provider)
  const serviceId = decoded(service)
  if (providerId === undefined || serviceId === undefined)
    throw refused('malformed', 'This is not a Domain Connect link. Open the link of the service provider again.')
  const parts = query.split('&').filter((part) => part !== '')
  if (parts.length > maxParameters)
    throw refused('too_many', `The link has more than ${maxParameters} parameters. Ask the service provider.`)
  const parameters = new Map<string, string>()
  const signed: string[] = []
  for (const part of parts) {
    const [name, value] = decodedPart(part)
    if (parameters.has(name))
      throw refused('duplicate', `The link has the parameter ${JSON.stringify(shortened(name))} twice.`)
    if (value.length > maxParameterLength)
      throw refused(
        'too_long',
        `The parameter ${JSON.stringify(shortened(name))} of the link has more than ${maxParameterLength} characters.`,
      )
    parameters.set(name, value)
    if (name !== 'sig' && name !== 'key') signed.push(part)
  }
  return { providerId, serviceId, signedText: signed.join('&'), parameters }
}

/** The refusal of a link. */
export function refused(code: string, message: string): Refusal {
  const fault: FaultDetail = { code, message }
  return Refusal.of([fault])
}

/** The name and value of a part of a query, encoded as in HTML forms: `+` is a space, as most clients write it. */
function decodedPart(part: string): [name: string, value: string] {
  const equals = part.indexOf('=')
  const name = decoded(plain(equals < 0 ? part : part.slice(0, equals)))
  const value = decoded(plain(equals < 0 ? '' : part.slice(equals + 1)))
  if (name === undefined || value === undefined)
    throw refused('malformed', 'The link has a parameter that is not valid UTF-8 in percent-encoding.')
  return [name, value]
}

function plain(text: string): string {
  return text.replaceAll('+', ' ')
}

function decoded(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text)
  } catch {
    return undefined
  }
}

function shortened(name: string): string {
  return name.length > 50 ? `${name.slice(0, 50)}…` : name
}

/** Refuses a link that requires a parameter that the service does not support (`crit`). */
export function refuseCritical({ parameters }: ConnectRequest, { template }: ConnectTemplate): void {
  const variables = new Set(parametersOf(template).map(({ name }) => name))
  const critical = parameters.get('crit')?.split(',') ?? []
  const unknown = critical.find((name) => parameters.has(name) && !ownParameters.has(name) && !variables.has(name))
  if (unknown !== undefined)
    throw refused('unsupported', `The link requires ${JSON.stringify(shortened(unknown))}, which is not supported.`)
}
