import { createPaystack } from '#adapters/paystack/index.ts'
import { createSignInProviders } from '#adapters/sign-in-providers/index.ts'
import { watchedCertificates } from '#compose/certificates.ts'
import { mailServerOf } from '#compose/mail-server.ts'
import type { Platform } from '#compose/platform.ts'
import { countSealed } from '#platform/reseal.ts'
import type { Fault, NotSent, Unknown } from '#ports/registry.ts'
import { sealersOf, unreadableIn } from '../reseal-command.ts'
import { type Finding, fault, ok, warning, whyUnreachable } from './finding.ts'

const day = 24 * 60 * 60_000

/** Whether `SECRET_KEY` sealed what is in the database, and what still needs `SECRET_KEY_FALLBACK`. */
export async function secretFindings(platform: Platform): Promise<Finding[]> {
  const hasFallback = platform.configuration.secretKeyFallback !== undefined
  const counts = await countSealed(platform.database.db, sealersOf(platform))
  const unreadable = unreadableIn(counts, hasFallback)
  if (unreadable !== undefined)
    return [
      fault(
        unreadable,
        'Set SECRET_KEY or SECRET_KEY_FALLBACK to the key that sealed them (docs/runbooks/rotate-secret-key.md). Without it, webhooks cannot be signed and sessions cannot be read.',
      ),
    ]
  const former = counts.reduce((sum, count) => sum + count.former, 0)
  if (former > 0)
    return [
      warning(
        `${former} values in the database are still sealed with SECRET_KEY_FALLBACK.`,
        'Once every process has the new SECRET_KEY, run admin.ts reseal-secrets (docs/runbooks/rotate-secret-key.md).',
      ),
    ]
  if (counts.every(({ current }) => current === 0)) return [ok('Nothing is sealed with SECRET_KEY yet.')]
  const says = 'SECRET_KEY opens what was sealed with it.'
  return [ok(hasFallback ? `${says} The database no longer needs SECRET_KEY_FALLBACK.` : says)]
}

/** Whether customers reach the API at PUBLIC_URL. */
export async function siteFindings({ configuration: { publicUrl } }: Platform): Promise<Finding[]> {
  try {
    const answer = await fetch(`${publicUrl}/readyz`, { signal: AbortSignal.timeout(5_000), redirect: 'manual' })
    if (answer.status === 200) return [ok(`${publicUrl} answers.`)]
    return [
      fault(
        `${publicUrl}/readyz answers ${answer.status}.`,
        'Check that an API is running behind the proxy and reaches its database.',
      ),
    ]
  } catch (error) {
    return [
      fault(
        `${publicUrl} cannot be reached: ${whyUnreachable(error)}.`,
        'Start service/bin/api.ts and the proxy, or correct PUBLIC_URL.',
      ),
    ]
  }
}

export async function certificateFindings({ configuration }: Pick<Platform, 'configuration'>): Promise<Finding[]> {
  const certificates = await watchedCertificates(configuration)
  return certificates.map(({ name, endsAt, why }) => {
    const which = name === 'site' ? `The certificate of ${configuration.publicUrl}` : `The certificate "${name}"`
    if (endsAt === undefined)
      return fault(
        `${which} cannot be read: ${why}.`,
        'Correct the path or the file, or start the program that presents it.',
      )
    const days = Math.floor((endsAt.getTime() - Date.now()) / day)
    if (days < 0) return fault(`${which} expired on ${endsAt.toISOString()}.`, 'Renew it now.')
    const says = `${which} expires in ${days} days.`
    return days < 14
      ? warning(says, 'Renew it, and find out why it was not renewed automatically (docs/runbooks/deploy.md).')
      : ok(says)
  })
}

export async function mailFindings({ configuration }: Platform): Promise<Finding[]> {
  const server = mailServerOf(configuration)
  if (server === undefined)
    return [warning('No mail server is configured, so no one can confirm an address.', 'Set SMTP_URL and MAIL_FROM.')]
  try {
    const { failure, reply } = await server.check()
    if (failure === null) return [ok('The mail server accepts our connection.')]
    return [
      fault(
        `The mail server refuses our connection: ${failure}${reply === null ? '' : ` (${reply})`}.`,
        'Correct SMTP_URL. "An email does not arrive" explains the code.',
      ),
    ]
  } finally {
    await server.close()
  }
}

export async function registryFindings({ configuration, registries }: Platform): Promise<Finding[]> {
  const unconnected = configuration.registries.filter(
    ({ id }) => !registries.all.some((registry) => registry.id === id),
  )
  const asked = await Promise.all(
    registries.all.map(async ({ id, tlds, domains }) => {
      const reading = await domains.check([`zonewright-doctor.${tlds[0]}`])
      return reading.kind === 'done' || reading.kind === 'refused'
        ? ok(`The registry ${id} accepts our login and responds.`)
        : fault(
            `The registry ${id} does not respond: ${whyOf(reading)}.`,
            'Check the login, the certificate and the addresses (docs/runbooks/connect-a-registry.md).',
          )
    }),
  )
  return [
    ...asked,
    ...unconnected.map(({ id }) =>
      warning(
        `The registry ${id} is not connected, so its names cannot be sold.`,
        'Add an "epp" part for it in REGISTRIES.',
      ),
    ),
  ]
}

/** Whether each sign-in provider responds. GitHub has no configuration to fetch. */
export async function providerFindings({ configuration }: Pick<Platform, 'configuration'>): Promise<Finding[]> {
  const providers = createSignInProviders(configuration.signInProviders)
  try {
    return await Promise.all(
      providers.all.map(async ({ id, name, issuer, begin }) => {
        const begun = await begin(`${configuration.publicUrl}/app/provider/${id}`)
        return begun.kind === 'begun'
          ? ok(`People can sign in with ${name}.`)
          : fault(
              `The sign-in provider ${name} cannot be used: ${begun.why}.`,
              `Correct its issuer (${issuer}) in SIGN_IN_PROVIDERS, or let this machine reach it (docs/runbooks/sign-in-providers.md).`,
            )
      }),
    )
  } finally {
    await providers.close()
  }
}

function whyOf(reading: Fault | NotSent | Unknown): string {
  return reading.kind === 'fault' ? `${reading.reply.code} ${reading.reply.message}` : reading.why
}

export async function paymentFindings({ configuration }: Pick<Platform, 'configuration'>): Promise<Finding[]> {
  const payments = createPaystack(configuration.payments)
  try {
    const answer = await payments.verify('zonewright-doctor')
    return answer.kind === 'unavailable'
      ? [
          fault(
            `The card gateway does not respond: ${answer.why}.`,
            configuration.payments.isSandbox && configuration.publicUrl.startsWith('https:')
              ? 'This is the sandbox (PAYMENTS=sandbox). Set PAYMENTS=paystack and PAYSTACK_SECRET_KEY to accept card payments.'
              : 'Correct PAYSTACK_SECRET_KEY or PAYSTACK_URL. Until then, checkouts and refunds wait.',
          ),
        ]
      : [ok('The card gateway accepts our key and responds.')]
  } finally {
    await payments.close()
  }
}
