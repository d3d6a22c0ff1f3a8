import { Refusal } from '#platform/errors.ts'

/** Managers that a zone may have, invitations counted. */
export const maxManagers = 20

/** An invitation can be accepted so long. */
export const invitationDays = 14

/** Invitations that an account may send in 24 hours: each is a mail to somebody who has not asked for it. */
export const maxInvitationsADay = 50

/** What is known before somebody is invited. */
export interface Guest {
  readonly isOwner: boolean
  readonly isManager: boolean
  /** An invitation of this address is open: asking again sends it again. */
  readonly isInvited: boolean
  readonly managersOfZone: number
  readonly invitedToday: number
}

/** May this address be invited? Throws the refusal otherwise. Whether it has an account here is not told. */
export function mayInvite(email: string, guest: Guest): void {
  if (guest.isOwner) throw new Refusal('conflict', 'The zone is yours: you manage it already.')
  if (guest.isManager) throw new Refusal('conflict', `${email} manages this zone already.`)
  if (guest.managersOfZone >= maxManagers && !guest.isInvited)
    throw new Refusal('conflict', `A zone may have ${maxManagers} managers. Remove one first.`)
  if (guest.invitedToday >= maxInvitationsADay)
    throw new Refusal(
      'rate_limited',
      `An account may send ${maxInvitationsADay} invitations a day. Try again tomorrow.`,
      {
        headers: { 'retry-after': String(24 * 3_600) },
      },
    )
}
