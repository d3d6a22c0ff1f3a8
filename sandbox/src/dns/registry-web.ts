import type { IncomingMessage, Server } from 'node:http'
import type { Behaviours } from '../behaviours.ts'
import { type Answer, createAnswerServer, json, parseJson } from '../web/answer.ts'
import { readBody } from '../web/read-body.ts'
import { type Behaviour, readBehaviour } from './behaviour.ts'
import type { RegistryZones } from './registry-zones.ts'

/** Handles requests below its own path. Undefined: the request is not below this path. */
interface Beside {
  answer(request: IncomingMessage): Promise<Answer | undefined>
}

/** Plain HTTP on the loopback interface, which sets what a registrar does at the registry, and what fails there. */
export function createRegistryWeb(
  zones: RegistryZones,
  behaviours: Behaviours<Behaviour>,
  beside: readonly Beside[],
): Server {
  return createAnswerServer(async (request) => {
    for (const each of beside) {
      const answer = await each.answer(request)
      if (answer !== undefined) return answer
    }
    return await route(zones, behaviours, request)
  })
}

async function route(
  zones: RegistryZones,
  behaviours: Behaviours<Behaviour>,
  request: IncomingMessage,
): Promise<Answer> {
  const url = new URL(request.url ?? '/', 'http://registry')
  const domain = decodeURIComponent(/^\/delegations\/([^/]+)$/.exec(url.pathname)?.[1] ?? '').toLowerCase()
  switch (`${request.method} ${domain === '' ? url.pathname : '/delegations/<domain>'}`) {
    case 'GET /delegations':
      return json(200, { data: zones.delegations() })
    case 'PUT /delegations/<domain>':
      return delegate(zones, domain, parseJson(await readBody(request)))
    case 'DELETE /delegations/<domain>':
      return delegate(zones, domain, { nameservers: [] })
    case 'PUT /behaviour': {
      const behaviour = readBehaviour(parseJson(await readBody(request)))
      if (typeof behaviour === 'string') return json(422, { error: behaviour })
      behaviours.set(behaviour, url.searchParams.get('name')?.toLowerCase() ?? '')
      return json(200, behaviour)
    }
    default:
      return json(404, { error: answered })
  }
}

const answered =
  'GET /delegations, PUT /delegations/<domain>, DELETE /delegations/<domain>, PUT /hosts/<name>, PUT /behaviour and what is below /rdap/ and /epp/ are answered here.'

function delegate(zones: RegistryZones, domain: string, body: unknown): Answer {
  const names = (body as { nameservers?: unknown } | undefined)?.nameservers
  if (!Array.isArray(names) || names.some((name) => typeof name !== 'string'))
    return json(422, { error: 'A delegation is {"nameservers": ["ns1.example.net", …]}.' })
  try {
    const nameservers = (names as string[]).map((name) => name.toLowerCase().replace(/\.$/, ''))
    zones.delegate(domain, nameservers)
    return json(200, { domain, nameservers })
  } catch (error) {
    return json(422, { error: (error as Error).message })
  }
}
