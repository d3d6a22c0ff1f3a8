import { compose, type Message } from './message.ts'
import { pages } from './pages.ts'

/** Says that a zone has gone to the account that proved control of its name. */
export function zoneLost(about: { site: string; zone: string; why: 'proved' | 'registered' }): Message {
  return compose({
    kind: 'zone_lost',
    subject: `${about.zone} is no longer your zone`,
    blocks: [
      `${reasons[about.why](about.zone)} The zone now belongs to that account, and yours was deleted.`,
      'If the domain is yours, add the zone again and prove control of it, or contact support.',
      { label: 'Your zones', href: pages.zones(about.site) },
    ],
  })
}

const reasons = {
  proved: (zone: string) => `Another account has proved control of the domain ${zone}, and you have not.`,
  registered: (zone: string) => `Another account has registered the domain ${zone} here, or transferred it to us.`,
} as const
