import { Refusal } from '#platform/errors.ts'
import type { ProvedPerson } from '#ports/sign-in-provider.ts'

/** Maximum number of linked providers of an account. */
export const maxLinkedProviders = 5

/** A person whom a provider has proved, and who wants to sign in. */
export interface Standing {
  readonly person: ProvedPerson
  /** The account that is linked to this person. */
  readonly linkedTo: string | undefined
  /** The account of the verified address. */
  readonly account:
    | {
        readonly id: string
        readonly emailConfirmed: boolean
        readonly twoFactorEnabled: boolean
        readonly linked: number
      }
    | undefined
}

export type SignInPlan =
  | { readonly kind: 'sign-in' | 'link'; readonly accountId: string }
  | { readonly kind: 'create'; readonly email: string }
  | { readonly kind: 'refuse'; readonly refusal: Refusal }

/**
 * Decides what a sign-in with a provider does.
 *
 * A linked person signs in, whatever the address. Otherwise, the address decides, if the provider has verified it: an account that has confirmed it
 * is linked, and if there is no account, one is created. Two-factor authentication protects an account from someone who controls only its address, so
 * such an account is linked on its own page.
 */
export function planSignIn(provider: string, { person, linkedTo, account }: Standing): SignInPlan {
  if (linkedTo !== undefined) return { kind: 'sign-in', accountId: linkedTo }
  const { email } = person
  if (email === undefined) return refuse(unverified(provider))
  if (account === undefined) return { kind: 'create', email }
  if (!account.emailConfirmed)
    return refuse(
      `The account of ${email} has not confirmed this address. Choose "Forgot password?" to confirm it and to set a password. Then link ${provider} on your account page.`,
    )
  if (account.twoFactorEnabled)
    return refuse(
      `The account of ${email} has two-factor authentication. Sign in with your password, and link ${provider} on your account page.`,
    )
  if (account.linked >= maxLinkedProviders) return refuse(tooMany())
  return { kind: 'link', accountId: account.id }
}

function tooMany(): string {
  return `An account can have ${maxLinkedProviders} linked providers. Sign in another way, and unlink one on your account page.`
}

/** The refusal is the same whether the address has an account or not. */
function unverified(provider: string): string {
  return `${provider} does not say that it has verified your email address. Verify it there, or sign in or sign up with your email address here and link ${provider} on your account page.`
}

function refuse(message: string): SignInPlan {
  return { kind: 'refuse', refusal: new Refusal('conflict', message) }
}

/**
 * The refusal of an action that requires the password, if a provider has signed the owner up. Without this rule, someone who has only stolen a
 * session could do anything.
 */
export function noPassword(): Refusal {
  return new Refusal(
    'conflict',
    'This account has no password yet, and this action requires one. Set a password first: choose "Forgot password?" on the sign-in page.',
  )
}

/**
 * A page of the dashboard to return to, as the path below `/app`. Anything else, such as another site's address or a path that does not fit into a
 * cookie, becomes the first page.
 */
export function returnPath(wish: string | undefined): string {
  return wish !== undefined && /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]{0,499}$/.test(wish) ? wish : '/'
}
