import { readFileSync } from 'node:fs'
import { z } from 'zod'

/** A sign-in provider: how it is shown, where it is, and how it identifies this installation. */
export interface ProviderSetting {
  readonly id: string
  readonly name: string
  /** As the provider names itself in its tokens; without a path, without a slash at the end. */
  readonly issuer: string
  readonly kind: 'openid' | 'github'
  readonly clientId: string
  readonly clientSecret: string
}

/** More buttons would hide the form. */
const maxProviders = 5

/** Values that need not be configured for well-known providers. */
const presets: Readonly<Record<string, Pick<ProviderSetting, 'name' | 'issuer' | 'kind'>>> = {
  google: { name: 'Google', issuer: 'https://accounts.google.com', kind: 'openid' },
  github: { name: 'GitHub', issuer: 'https://github.com', kind: 'github' },
}

const fileShape = z.strictObject({
  providers: z.array(
    z.strictObject({
      id: z.string().regex(/^[a-z][a-z0-9-]{0,29}$/, 'is not an id, such as google'),
      name: z
        .string()
        .trim()
        .regex(/^[^\p{C}<>]{1,30}$/u, 'is not a name of at most 30 characters')
        .optional(),
      issuer: z.string().max(500).optional(),
      client_id: z.string().min(1).max(500),
      client_secret_file: z.string().min(1),
    }),
  ),
})

/**
 * Reads SIGN_IN_PROVIDERS, the path of a file; without one there are none. Throws an error that says what is wrong in one line, and never quotes a
 * secret.
 */
export function readProviders(path: string): readonly ProviderSetting[] {
  return path === '' ? [] : parseProviders(jsonOf(path))
}

export function parseProviders(file: unknown): readonly ProviderSetting[] {
  const parsed = fileShape.safeParse(file)
  if (!parsed.success) {
    const [first] = parsed.error.issues
    throw new Error(`${first?.path.join('.') || 'the file'}: ${first?.message}`)
  }
  const { providers } = parsed.data
  if (providers.length > maxProviders)
    throw new Error(`there are ${providers.length} providers, and at most ${maxProviders} fit`)
  const settings = providers.map(({ id, name, issuer, client_id: clientId, client_secret_file: secretFile }) => {
    const preset = presets[id]
    if (preset === undefined && (name === undefined || issuer === undefined))
      throw new Error(`providers.${id}: needs a name and an issuer; only google and github need none`)
    if (preset !== undefined && issuer !== undefined)
      throw new Error(`providers.${id}.issuer: is known already; give another issuer another id`)
    return {
      id,
      name: name ?? preset?.name ?? '',
      issuer: preset?.issuer ?? issuerOf(id, issuer ?? ''),
      kind: preset?.kind ?? ('openid' as const),
      clientId,
      clientSecret: secretOf(id, secretFile),
    }
  })
  for (const one of ['id', 'issuer', 'name'] as const)
    if (new Set(settings.map((each) => each[one])).size < settings.length)
      throw new Error(`two providers have the same ${one}`)
  return settings
}

/** https; or a server on this machine, to try it. */
function issuerOf(id: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isUsable =
    url !== undefined &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && isThisMachine(url.hostname))) &&
    url.search === '' &&
    url.hash === '' &&
    url.username === ''
  if (!isUsable)
    throw new Error(
      `providers.${id}.issuer: ${JSON.stringify(text)} is not an https URL, such as https://login.example.net`,
    )
  // A slash after a path is part of the issuer (OpenID Connect Discovery §4.3).
  return url.pathname === '/' ? url.origin : url.href
}

function isThisMachine(host: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(host)
}

function secretOf(id: string, path: string): string {
  const secret = textIn(path, `providers.${id}.client_secret_file: `).trim()
  if (!/^[\x21-\x7e]{1,500}$/.test(secret))
    throw new Error(`providers.${id}.client_secret_file: ${path} does not contain one secret in one line`)
  return secret
}

function jsonOf(path: string): unknown {
  try {
    return JSON.parse(textIn(path, ''))
  } catch (error) {
    throw error instanceof SyntaxError ? new Error(`${path} is not JSON`) : error
  }
}

function textIn(path: string, place: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(`${place}${path} cannot be read: ${(error as NodeJS.ErrnoException).code}`)
  }
}
