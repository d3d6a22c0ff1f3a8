// Writes the configurations of clients into their pages in docs/customers, and the table of clients.md; with --check, reports whether they are up to
// date. The dashboard shows the same configurations with the values of its reader.
import { readFileSync } from 'node:fs'
import { type ConfigPart, clientUse } from '@zonewright/dashboard/client-configs'
import { type Client, clientGroups, configParts, wishedKey } from '@zonewright/dashboard/clients'
import { accountFile } from '@zonewright/service/acme-dns-account'
import { tsigConfig } from '@zonewright/service/tsig-config'
import { writeOrCheck } from './local/written-files.ts'

/** The placeholder values that the pages show to their readers. */
const site = 'https://dns.example.net'
const zone = {
  id: '',
  name: 'example.com',
  role: 'owner',
  nameservers: ['ns1.example.net', 'ns2.example.net'],
} as const
const email = 'you@example.net'
const door = { host: '192.0.2.53', port: 53 }
const keyId = 'key_YOUR_KEY'

const folder = 'docs/customers'
const read = (page: string): string => readFileSync(new URL(`../${page}`, import.meta.url), 'utf8')
const groups = clientGroups()
const pages = groups.flatMap(({ clients }) => clients).map((client) => [pathOf(client), withBlocks(client)] as const)
const list = `${folder}/clients.md`

writeOrCheck({ ...Object.fromEntries(pages), [list]: withTable(read(list)) }, 'npm run client-pages')

function pathOf({ id }: Client): string {
  return `${folder}/${id}.md`
}

/** The page with the configuration of its client in the blocks that have the client's name after their language, in order. */
function withBlocks(client: Client): string {
  const path = pathOf(client)
  const texts = blocksOf(client)
  const page = read(path)
  const block = new RegExp(`^(\`\`\`\\w+ ${client.id}\n).*?^\`\`\`$`, 'gms')
  const found = page.match(block)?.length ?? 0
  if (found !== texts.length)
    throw new Error(`${path} has ${found} blocks named ${client.id}, and needs ${texts.length}`)
  return page.replaceAll(block, (_, fence: string) => `${fence}${texts.shift()}\`\`\``)
}

function blocksOf(client: Client): string[] {
  const { id, tsig, host = '@', hasAccountFile } = client
  if (tsig !== undefined) return [tsigConfig(tsig, { keyName: 'key-YOUR_KEY', door, zones: [zone.name], email })]
  const use = clientUse({ origin: site, zone, host, key: { id: keyId, name: id }, email })
  const account = hasAccountFile
    ? [`${JSON.stringify(accountFile({ subdomain: use.host, keyId, site }), undefined, 2)}\n`]
    : []
  const parts = configParts(client, use)
  const files = parts.filter(isFile).map(({ text }) => text)
  const fields = parts.filter((part) => !isFile(part))
  return [...account, ...files, ...(fields.length === 0 ? [] : [fieldList(fields)])]
}

/** A file or commands; otherwise the value of a field. */
function isFile({ text }: ConfigPart): boolean {
  return text.endsWith('\n')
}

function fieldList(fields: readonly ConfigPart[]): string {
  const width = Math.max(...fields.map(({ where }) => where.length)) + 2
  return fields.map(({ where, text }) => `${`${where}:`.padEnd(width)}${text}\n`).join('')
}

/** The page with the table of all clients. */
function withTable(page: string): string {
  const between = /(<!-- npm run client-pages -->\n)[\s\S]*?(<!-- end -->)/
  if (!between.test(page)) throw new Error(`${list} has no <!-- npm run client-pages --> … <!-- end -->`)
  const rows = groups.flatMap(({ group, clients }) => clients.map((client) => row(group, client)))
  const table = [
    '| client | purpose | permissions of its key | limits of its key |',
    '| --- | --- | --- | --- |',
    ...rows,
  ]
  return page.replace(between, (_, start: string, end: string) => `${start}${table.join('\n')}\n${end}`)
}

function row(group: string, client: Client): string {
  const { permissions, limit } = wishedKey(client, zone, client.host ?? '@')
  const key = [
    permissions.map((permission) => `\`${permission}\``).join(', '),
    limit === undefined ? 'none' : `\`${limit.names}\` with ${limit.types}`,
  ]
  return `| [${client.name}](${client.id}.md) | ${group} | ${key.join(' | ')} |`
}
