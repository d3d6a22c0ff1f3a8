import { isIP } from 'node:net'
import { parseArgs } from 'node:util'
import { DnsFault, type DomainName, parseName, type TsigKey } from '@zonewright/dns'
import { type Endpoint, parseEndpoint } from './endpoint.ts'
import { reasonOf, StartupFault } from './startup-fault.ts'
import { readTsigFile } from './tsig.ts'

/** Where the zones come from: plain zone files, or a primary that is followed by its catalog zone. */
export type Source =
  | { readonly kind: 'files'; readonly directory: string }
  | {
      readonly kind: 'secondary'
      readonly primary: Endpoint
      readonly catalog: DomainName
      readonly key: TsigKey
      readonly storeDirectory: string
    }

export interface Options {
  readonly listen: readonly Endpoint[]
  readonly source: Source
}

const usage =
  'use --listen ADDRESS:PORT [--listen …] and either --zone-dir DIR or all of --primary HOST:PORT --catalog NAME --tsig FILE --store DIR'

/** Reads the command line. @throws StartupFault naming the first flag that is wrong. */
export function parseOptions(args: readonly string[]): Options {
  const flags = readFlags(args)
  if (flags.door !== 'portable') throw new StartupFault(`--door ${flags.door}: the one door there is is "portable"`)
  const listen = flags.listen.map(parseListen)
  if (listen.length === 0) throw new StartupFault(`--listen is missing: ${usage}`)
  return { listen, source: parseSource(flags) }
}

function readFlags(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        listen: { type: 'string', multiple: true, default: [] },
        door: { type: 'string', default: 'portable' },
        'zone-dir': { type: 'string' },
        primary: { type: 'string' },
        catalog: { type: 'string' },
        tsig: { type: 'string' },
        store: { type: 'string' },
      },
    })
    return values
  } catch (error) {
    throw new StartupFault(reasonOf(error).split('\n')[0] ?? usage)
  }
}

function parseListen(text: string): Endpoint {
  const endpoint = parseEndpoint(text)
  if (!endpoint || isIP(endpoint.host) === 0) {
    throw new StartupFault(`--listen ${text}: not an address and port like 127.0.0.1:5388 or [::1]:5388`)
  }
  return endpoint
}

function parseSource(flags: ReturnType<typeof readFlags>): Source {
  const { primary, catalog, tsig, store } = flags
  const directory = flags['zone-dir']
  if (directory !== undefined) {
    const other = [primary, catalog, tsig, store].some((value) => value !== undefined)
    if (other) throw new StartupFault(`--zone-dir does not go together with the flags of a secondary: ${usage}`)
    return { kind: 'files', directory }
  }
  if (primary === undefined || catalog === undefined || tsig === undefined || store === undefined) {
    throw new StartupFault(`no zones to serve: ${usage}`)
  }
  const endpoint = parseEndpoint(primary)
  if (!endpoint || endpoint.port === 0) {
    throw new StartupFault(`--primary ${primary}: not a host and port like 127.0.0.1:5300`)
  }
  return {
    kind: 'secondary',
    primary: endpoint,
    catalog: parseCatalogName(catalog),
    key: readTsigFile(tsig),
    storeDirectory: store,
  }
}

function parseCatalogName(text: string): DomainName {
  try {
    return parseName(text.endsWith('.') ? text : `${text}.`)
  } catch (error) {
    if (error instanceof DnsFault) throw new StartupFault(`--catalog ${text}: ${error.message}`)
    throw error
  }
}
