import type { IncomingMessage } from 'node:http'
import type { ReadXml } from '@zonewright/epp'
import { type Answer, json, parseJson } from '../web/answer.ts'
import { readBody } from '../web/read-body.ts'
import { type EppBehaviours, readEppBehaviour } from './behaviour.ts'
import { statusesOf } from './life.ts'
import { decide } from './pending.ts'
import { amountOf, koboOf } from './prices.ts'
import type { Registry } from './registry.ts'
import type { NotedCommand } from './server-context.ts'

/** The part of the EPP server that the control uses. */
export interface EppControlled {
  readonly registry: Registry
  readonly readXml: ReadXml
  readonly behaviours: EppBehaviours
  readonly noted: readonly NotedCommand[]
  closeSessions(): void
}

/** Acts as the registry's staff, over plain HTTP below `/epp/`. Undefined: the path is not below it. */
export async function answerControl(epp: EppControlled, request: IncomingMessage): Promise<Answer | undefined> {
  const url = new URL(request.url ?? '/', 'http://registry')
  const [, top, kind = '', name = ''] = url.pathname.split('/').map((part) => decodeURIComponent(part).toLowerCase())
  if (top !== 'epp') return undefined
  switch (`${request.method} ${kind}`) {
    case 'GET log':
      return json(200, { data: epp.noted })
    case 'GET domains':
      return domains(epp.registry, name)
    case 'GET registrars':
      return json(200, { data: registrars(epp.registry) })
    case 'DELETE sessions':
      epp.closeSessions()
      return json(200, {})
  }
  const body = (parseJson(await readBody(request)) ?? {}) as Record<string, unknown>
  switch (`${request.method} ${kind}`) {
    case 'PUT behaviour': {
      const behaviour = readEppBehaviour(body)
      if (typeof behaviour === 'string') return json(422, { error: behaviour })
      epp.behaviours.set(behaviour, url.searchParams.get('command') ?? '', url.searchParams.get('name') ?? '')
      return json(200, behaviour)
    }
    case 'PUT registrars':
      return setBalance(epp.registry, name, body['balance'])
    case 'PUT clock': {
      const days = body['ahead_days']
      if (typeof days !== 'number' || !(days >= 0 && days <= 10_000))
        return json(422, { error: 'A clock is {"ahead_days": 30}.' })
      epp.registry.setAhead(days * 86_400_000)
      return json(200, { now: new Date(epp.registry.now()).toISOString() })
    }
    case 'POST decisions':
      if (typeof body['done'] !== 'boolean') return json(422, { error: 'A decision is {"done": true}.' })
      if (!decide(epp.registry, epp.readXml, name, body['done'])) return json(404, { error: 'Nothing waits there.' })
      return json(200, {})
    default:
      return json(404, { error: answered })
  }
}

const answered =
  'GET /epp/log, /epp/domains, /epp/domains/<name>, /epp/registrars, PUT /epp/behaviour, /epp/registrars/<id>, /epp/clock, POST /epp/decisions/<domain> and DELETE /epp/sessions are answered here.'

function domains(registry: Registry, name: string): Answer {
  const shown = [...registry.store.all('domain')]
    .filter((domain) => name === '' || domain.name === name)
    .flatMap(({ name: each }) => registry.domain(each) ?? [])
    .map(({ authInfo: _, pending, ...domain }) => ({
      ...domain,
      statuses: statusesOf({ ...domain, authInfo: null, ...(pending && { pending }) }, registry.now()),
    }))
  if (name === '') return json(200, { data: shown })
  return shown[0] === undefined ? json(404, { error: `${name} is not registered.` }) : json(200, shown[0])
}

function registrars(registry: Registry): object[] {
  return [...registry.store.all('registrar')].map(({ id, balance }) => ({ id, balance: amountOf(balance) }))
}

function setBalance(registry: Registry, id: string, balance: unknown): Answer {
  const account = registry.store.get('registrar', id)
  const kobo = typeof balance === 'string' ? koboOf(balance) : Number.NaN
  if (account === undefined) return json(404, { error: `There is no registrar ${id}.` })
  if (Number.isNaN(kobo)) return json(422, { error: 'An account is {"balance": "1000.00"}.' })
  registry.store.put('registrar', id, { ...account, balance: kobo })
  registry.store.commit()
  return json(200, { id, balance: amountOf(kobo) })
}
