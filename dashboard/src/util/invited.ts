/** The address of an invitation, in the page to which sign-in leads back: `/zones?invited=ada@example.net`. */
export function invitedIn(back: string | undefined): string | undefined {
  const query = back?.split('?', 2)[1]
  return new URLSearchParams(query).get('invited') ?? undefined
}
