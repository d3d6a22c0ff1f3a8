import { escapeHtml } from '../web/escape-html.ts'

/** The page on which a person signs in at the provider: a button for each known person, and one to cancel. */
export function signInPage(
  names: readonly { readonly subject: string; readonly label: string }[],
  client: string,
): string {
  const buttons = names.map(
    ({ subject, label }) =>
      `<p><button name="subject" value="${escapeHtml(subject)}">Continue as ${escapeHtml(label)}</button></p>`,
  )
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Sandbox sign-in</title>
<link rel="icon" href="data:,">
<h1>Sign in to ${escapeHtml(client)}</h1>
<form method="post">${buttons.join('')}<p><button name="decline" value="yes">Cancel</button></p></form>
</html>`
}
