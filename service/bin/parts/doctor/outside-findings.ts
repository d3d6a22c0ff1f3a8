import { createPaystack } from '#adapters/paystack/index.ts'
import { watchedCertificates } from '#compose/certificates.ts'
import { mailServerOf } from '#compose/mail-server.ts'
import type { Platform } from '#compose/platform.ts'
import { opensSecrets } from '#modules/webhooks/index.ts'
import type { Fault, NotSent, Unknown } from '#ports/registry.ts'
import { type Finding, fault, ok, warning, whyUnreachable } from './finding.ts'

const day = 24 * 60 * 60_000

/** Whether `SECRET_KEY` is the one that sealed what is in the database. */
export async function secretFindings({ database: { db }, secrets }: Platform): Promise<Finding[]> {
  const opens = await opensSecrets(db, secrets)
  if (opens === undefined) return [ok('Nothing is sealed with SECRET_KEY yet.')]
  if (opens) return [ok('SECRET_KEY opens what was sealed with it.')]
  return [
    fault(
      'SECRET_KEY is not the one that the secrets in the database were sealed with.',
      'Put the old one back: without it webhooks cannot be signed, nor sessions read.',
    ),
  ]
}

/** Whether customers reach the API where PUBLIC_URL says. */
export async function siteFindings({ configuration: { publicUrl } }: Platform): Promise<Finding[]> {
  try {
    const answer = await fetch(`${publicUrl}/readyz`, { signal: AbortSignal.timeout(5_000), redirect: 'manual' })
    if (answer.status === 200) return [ok(`${publicUrl} answers.`)]
    return [
      fault(
        `${publicUrl}/readyz answers ${answer.status}.`,
        'Is an API running behind the proxy, and does it reach its database?',
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

export async function certificateFindings({ configuration }: Platform): Promise<Finding[]> {
  const certificates = await watchedCertificates(configuration)
  return certificates.map(({ name, endsAt, why }) => {
    const which = name === 'site' ? `The certificate of ${configuration.publicUrl}` : `The certificate "${name}"`
    if (endsAt === undefined)
      return fault(`${which} cannot be read: ${why}.`, 'Correct the path or the file, or start what presents it.')
    const days = Math.floor((endsAt.getTime() - Date.now()) / day)
    if (days < 0) return fault(`${which} has ended on ${endsAt.toISOString()}.`, 'Renew it now.')
    const says = `${which} is good for ${days} days more.`
    return days < 14
      ? warning(says, 'Renew it; see why that did not happen by itself (docs/runbooks/deploy.md).')
      : ok(says)
  })
}

export async function mailFindings({ configuration }: Platform): Promise<Finding[]> {
  const server = mailServerOf(configuration)
  if (server === undefined)
    return [warning('There is no mail server: nobody can confirm an address.', 'Set SMTP_URL and MAIL_FROM.')]
  try {
    const { failure, reply } = await server.check()
    if (failure === null) return [ok('The mail server takes us.')]
    return [
      fault(
        `The mail server does not take us: ${failure}${reply === null ? '' : ` (${reply})`}.`,
        'Correct SMTP_URL; "A mail does not arrive" says what the word means.',
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
        ? ok(`The registry ${id} has let us log in and answers.`)
        : fault(
            `The registry ${id} does not answer: ${whyOf(reading)}.`,
            'See docs/runbooks/connect-a-registry.md: login, certificate, addresses.',
          )
    }),
  )
  return [
    ...asked,
    ...unconnected.map(({ id }) =>
      warning(
        `The registry ${id} is not connected: its names are sold to nobody.`,
        'Give it an "epp" part in REGISTRIES.',
      ),
    ),
  ]
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
            `The card gateway does not answer: ${answer.why}.`,
            configuration.payments.isSandbox && configuration.publicUrl.startsWith('https:')
              ? 'It is the sandbox of PAYMENTS=sandbox: set PAYMENTS=paystack and PAYSTACK_SECRET_KEY, so that people can pay by card.'
              : 'Correct PAYSTACK_SECRET_KEY or PAYSTACK_URL; checkouts and refunds wait meanwhile.',
          ),
        ]
      : [ok('The card gateway takes our key and answers.')]
  } finally {
    await payments.close()
  }
}
