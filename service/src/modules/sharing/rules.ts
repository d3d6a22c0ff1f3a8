import { Refusal } from '#platform/errors.ts'

/** The kinds of objects that can be shared. */
export type Shared = 'zone' | 'domain'

/** Maximum number of managers of a zone or domain, including invitations. */
export const maxManagers = 20

/** How long an invitation is valid. */
export const invitationDays = 14

/** Maximum number of invitations that an account can send in 24 hours, because each is an email that no one requested. */
export const maxInvitationsADay = 50

/** The order of a list of managers: managers first, then invitations, each by address. */
export function placeOf({ accountId, email }: { readonly accountId: string | null; readonly email: string }): string {
  return `${accountId === null ? 'invited' : 'accepted'} ${email}`
}

/** The state that an invitation depends on. */
export interface Guest {
  readonly isOwner: boolean
  readonly isManager: boolean
  /** There is an open invitation to this address. Inviting again resends the email. */
  readonly isInvited: boolean
  /** Managers of the zone or domain, including invitations. */
  readonly managers: number
  readonly invitedToday: number
}

/** No one can be a manager of their own zone or domain. */
export function yoursAlready(thing: Shared): Refusal {
  return new Refusal('conflict', `You already own this ${thing}.`)
}

/** Checks that this address may be invited. Throws the refusal otherwise. It does not reveal whether the address has an account here. */
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
