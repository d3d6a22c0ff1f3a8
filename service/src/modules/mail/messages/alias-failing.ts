import { compose, type Message } from './message.ts'
import { pages } from './pages.ts'
import { timeText } from './times.ts'

/** The reason why a target has no addresses, in words. */
const reasons: Readonly<Record<string, string>> = {
  timeout: 'Its DNS servers do not answer.',
  server_failure: 'Its DNS servers report an error.',
  no_address: 'It has no A or AAAA record.',
  too_many_steps: 'It leads from alias to alias, more often than the service follows.',
  private_address: 'It has an address that is not public.',
}

/** Warns that the target of ALIAS records has not been resolved for an hour, and says until when its last addresses are published. */
export function aliasFailing(about: {
  site: string
  target: string
  error: string
  failingSince: Date
  names: readonly string[]
}): Message {
  const { site, target, error, failingSince, names } = about
  const until = new Date(failingSince.getTime() + 24 * 3_600_000)
  return compose({
    kind: 'alias_failing',
    subject: `The ALIAS target ${target} cannot be resolved`,
    blocks: [
      {
        facts: [
          ['Target', target],
          ['Reason', reasons[error] ?? error],
          ['Since', timeText(failingSince)],
          ['Names', names.join(', ')],
        ],
      },
      `Until ${timeText(until)}, these names keep the last addresses of the target, if it had any. After that, they have no addresses until the target can be resolved again.`,
      'The service keeps trying. Check the DNS records of the target, or point the ALIAS records to another host.',
      { label: 'Your zones', href: pages.zones(site) },
    ],
  })
}
