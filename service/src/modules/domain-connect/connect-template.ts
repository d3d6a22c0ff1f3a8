import { z } from 'zod'
import { parametersOf, parseTemplate, presetOf, readTemplates, type Template } from '#modules/presets/index.ts'

/** A template that the operator has installed for Domain Connect. */
export interface ConnectTemplate {
  /** `providerId/serviceId`, in lower case. */
  readonly id: string
  readonly template: Template
  readonly version: number | undefined
  /** It is not for use in people's browsers. */
  readonly syncBlock: boolean
  /** The domain with the public keys of its signed links; undefined: links are not signed. */
  readonly syncPubKeyDomain: string | undefined
  /** The domains to which browsers may be sent back. */
  readonly redirectDomains: readonly string[]
  /** A link can name a reseller. */
  readonly isShared: boolean
  /** Its variables may be used for phishing, even if its links are signed. */
  readonly warnPhishing: boolean
}

/** The installed templates by id, and one line for each ignored file. */
export interface ConnectCatalogue {
  readonly templates: ReadonlyMap<string, ConnectTemplate>
  readonly faults: readonly string[]
}

/** Parameters of a link that are not variables of its template. */
export const ownParameters: ReadonlySet<string> = new Set([
  'domain',
  'host',
  'redirect_uri',
  'state',
  'providerName',
  'serviceName',
  'groupId',
  'sig',
  'key',
  'crit',
])

/** Reads the templates of a folder. A template with an error is ignored, and service providers get 404 for it. */
export function readConnectTemplates(folder: string | undefined): ConnectCatalogue {
  if (folder === undefined) return { templates: new Map(), faults: [] }
  const { found, faults } = readTemplates(folder, connectTemplateOf)
  return { templates: found, faults: faults.map((fault) => `the template ${fault}`) }
}

/** The id of a template in the catalog. */
export function templateId(providerId: string, serviceId: string): string {
  return `${providerId}/${serviceId}`.toLowerCase()
}

/**
 * Parses a template for Domain Connect: the records as for a preset, and the members of the synchronous flow.
 *
 * Throws an Error that says what is wrong, such as a record type that the service does not support. A template is installed completely or not at all,
 * because half of it would not set up the service.
 */
export function connectTemplateOf(json: unknown): ConnectTemplate {
  const { template } = presetOf(parseTemplate(json))
  const own = parametersOf(template).find(({ name }) => name !== 'host' && ownParameters.has(name))
  if (own !== undefined) throw new Error(`the variable %${own.name}% has the name of a parameter of the protocol`)
  const parsed = syncSchema.safeParse(json)
  if (!parsed.success)
    throw new Error(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; '))
  const { syncRedirectDomain, shared, sharedProviderName, crit, ...sync } = parsed.data
  const unknown = crit.find((name) => !understood.has(name) && Object.hasOwn(json as object, name))
  if (unknown !== undefined) throw new Error(`crit: the member ${JSON.stringify(unknown)} is not supported`)
  return {
    id: templateId(template.providerId, template.serviceId),
    template,
    version: sync.version,
    syncBlock: sync.syncBlock,
    syncPubKeyDomain: sync.syncPubKeyDomain,
    redirectDomains: syncRedirectDomain,
    isShared: shared || sharedProviderName,
    warnPhishing: sync.warnPhishing,
  }
}

const domain = z
  .string()
  .transform((text) => text.trim().toLowerCase().replace(/\.$/, ''))
  .refine((text) => /^([a-z0-9_]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/.test(text), 'must be a domain name')

const syncSchema = z.object({
  version: z.int().optional(),
  templateSpecVersion: z.literal(1, 'only version 1 is supported').optional(),
  syncBlock: z.boolean().default(false),
  // Some templates have an empty text instead of omitting the domain.
  syncPubKeyDomain: z.preprocess((value) => (value === '' ? undefined : value), domain.optional()),
  syncRedirectDomain: z
    .string()
    .default('')
    .transform((text) => text.split(',').filter((entry) => entry.trim() !== ''))
    .pipe(z.array(domain)),
  shared: z.boolean().default(false),
  sharedProviderName: z.boolean().default(false),
  warnPhishing: z.boolean().default(false),
  crit: z.array(z.string()).default([]),
})

/** The members of a template that change how it is applied here. */
const understood: ReadonlySet<string> = new Set([
  ...['providerId', 'providerName', 'serviceId', 'serviceName', 'version', 'templateSpecVersion', 'records'],
  ...['syncBlock', 'syncPubKeyDomain', 'syncRedirectDomain', 'shared', 'sharedProviderName', 'warnPhishing'],
  ...['hostRequired', 'logoUrl', 'description', 'variableDescription', 'crit'],
])
