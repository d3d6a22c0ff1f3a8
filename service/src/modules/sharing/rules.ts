import { Refusal } from '#platform/errors.ts'

/** What can be shared. */
export type Shared = 'zone' | 'domain'

/** Managers that a zone or a domain may have, invitations counted. */
export const maxManagers = 20

/** An invitation can be accepted so long. */
export const invitationDays = 14

/** Invitations that an account may send in 24 hours: each is a mail to somebody who has not asked for it. */
export const maxInvitationsADay = 50

/** Where somebody stands in a list of managers: those who manage, then those invited, each by address. */
export function placeOf({ accountId, email }: { readonly accountId: string | null; readonly email: string }): string {
  return `${accountId === null ? 'invited' : 'accepted'} ${email}`
}

/** What is known before somebody is invited. */
export interface Guest {
  readonly isOwner: boolean
  readonly isManager: boolean
  /** An invitation of this address is open: asking again sends it again. */
  readonly isInvited: boolean
  /** Of what it is invited to, those invited counted. */
  readonly managers: number
  readonly invitedToday: number
}

/** Nobody is the manager of what is its own. */
export function yoursAlready(thing: Shared): Refusal {
  return new Refusal('conflict', `You already own this ${thing}.`)
}

/** May this address be invited? Throws the refusal otherwise. Whether it has an account here is not told. */
export function mayInvite(thing: Shared, email: string, guest: Guest): void {
  if (guest.isOwner) throw yoursAlready(thing)
  if (guest.isManager) throw new Refusal('conflict', `${email} already manages this ${thing}.`)
  if (guest.managers >= maxManagers && !guest.isInvited)
    throw new Refusal('conflict', `A ${thing} can have at most ${maxManagers} managers. Remove one first.`)
  if (guest.invitedToday >= maxInvitationsADay)
    throw new Refusal(
      'rate_limited',
      `An account can send at most ${maxInvitationsADay} invitations a day. Try again tomorrow.`,
      {
        headers: { 'retry-after': String(24 * 3_600) },
      },
    )
}
