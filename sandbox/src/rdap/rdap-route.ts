import type { IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { Behaviours } from '../behaviours.ts'
import { type Answer, json, parseJson } from '../web/answer.ts'
import { readBody } from '../web/read-body.ts'
import { type RdapBehaviour, readRdapBehaviour } from './behaviour.ts'
import { bootstrapObject, domainObject, errorObject, helpObject } from './rdap-objects.ts'
import type { Registrations } from './registrations.ts'

export interface RdapOptions {
  readonly tlds: readonly string[]
  readonly registrations: Registrations
}

/** The registry's RDAP (RFC 9082, 9083), and the bootstrap that leads to it (RFC 9224), below `/rdap/`. */
export class RdapRoute {
  readonly registrations: Registrations
  readonly behaviours = new Behaviours<RdapBehaviour>()
  readonly #tlds: readonly string[]

  constructor({ tlds, registrations }: RdapOptions) {
    this.#tlds = tlds
    this.registrations = registrations
  }

  /** Undefined: the path is not below `/rdap/`. */
  async answer(request: IncomingMessage): Promise<Answer | undefined> {
    const url = new URL(request.url ?? '/', `http://${request.headers.host ?? 'registry'}`)
    if (!url.pathname.startsWith('/rdap/')) return undefined
    const [, , kind = '', name = '', ...more] = url.pathname.split('/')
    const key = decodeURIComponent(name).toLowerCase().replace(/\.$/, '')
    switch (`${request.method} ${kind}`) {
      case 'GET dns.json':
        return rdap(200, bootstrapObject(this.#tlds, new URL('/rdap/', url).href))
      case 'GET help':
        return rdap(200, helpObject())
      case 'GET domain':
        return more.length === 0 ? await this.#behaved(key, url) : rdap(400, errorObject(400, 'Bad Request'))
      case 'PUT behaviour': {
        const behaviour = readRdapBehaviour(parseJson(await readBody(request)))
        if (typeof behaviour === 'string') return json(422, { error: behaviour })
        this.behaviours.set(behaviour, url.searchParams.get('name') ?? '')
        return json(200, behaviour)
      }
      case 'PUT registrations':
        return this.#tell(key, parseJson(await readBody(request)))
      default:
        return rdap(400, errorObject(400, 'Bad Request'))
    }
  }

  async #behaved(domain: string, url: URL): Promise<Answer> {
    const behaviour = this.behaviours.take(domain) ?? {}
    const { status, redirect, retryAfterS, padBytes, body } = behaviour
    if (behaviour.silent) await new Promise(() => undefined)
    if (behaviour.delayMs !== undefined) await delay(behaviour.delayMs)
    const headers = { ...(retryAfterS !== undefined && { 'retry-after': String(retryAfterS) }) }
    if (redirect !== undefined) return { ...rdap(status ?? 302, {}), headers: { location: redirect } }
    if (body !== undefined) return { ...rdap(status ?? 200, {}), body, headers }
    if (status !== undefined) return { ...rdap(status, errorObject(status, 'As configured')), headers }
    const answer = this.#domain(domain, url)
    return padBytes === undefined ? answer : { ...answer, body: `${answer.body}${' '.repeat(padBytes)}` }
  }

  #domain(domain: string, url: URL): Answer {
    const registration = this.registrations.of(domain)
    if (registration === undefined) return rdap(404, errorObject(404, 'Not Found'))
    return rdap(200, domainObject(domain, registration, url.href))
  }

  /** The registry's data of a domain, if it differs from the DNS data. */
  #tell(domain: string, body: unknown): Answer {
    const {
      nameservers,
      expires_at: expires,
      registrar,
    } = (body ?? {}) as { nameservers?: string[]; expires_at?: string; registrar?: { name: string; url: string } }
    const areNames =
      nameservers === undefined || (Array.isArray(nameservers) && nameservers.every((name) => typeof name === 'string'))
    const isRegistrar =
      registrar === undefined || (typeof registrar?.name === 'string' && typeof registrar.url === 'string')
    if (!areNames || !isRegistrar || (expires !== undefined && Number.isNaN(Date.parse(expires))))
      return json(422, {
        error:
          'A registration is {"nameservers": [host, …], "expires_at": time, "registrar": {"name", "url"}}, all of them optional.',
      })
    this.registrations.tell(domain, {
      ...(nameservers && { nameservers }),
      ...(expires !== undefined && { expiresAt: new Date(expires) }),
      ...(registrar && { registrar }),
    })
    return json(200, { domain })
  }
}

function rdap(status: number, value: object): Answer {
  return { status, type: 'application/rdap+json', body: JSON.stringify(value) }
}
