import { escapeHtml } from '../web/escape-html.ts'
import type { Mail } from './read-mail.ts'

/** The list of emails, newest first: all of them, or those to one address. It refreshes every five seconds. */
export function listPage(mails: readonly Mail[], to: string | undefined): string {
  const rows = mails.toReversed().map(
    ({ number, at, from, to: recipients, subject }) => `<tr>
<td><a href="/${number}">${escapeHtml(subject === '' ? '(no subject)' : subject)}</a>
<td>${recipients.map((address) => `<a href="/?to=${encodeURIComponent(address)}">${escapeHtml(address)}</a>`).join(', ')}
<td>${escapeHtml(from)}
<td><time datetime="${escapeHtml(at)}">${escapeHtml(at.slice(0, 19).replace('T', ' '))}</time>`,
  )
  const table = `<table>
<thead><tr><th>Subject<th>To<th>From<th>Received (UTC)
<tbody>${rows.join('\n')}
</table>
<form method="post" action="/delete"><button>Delete all</button></form>`
  return document(
    'Mailbox',
    `<p>${
      to === undefined ? 'All mail.' : `Mail to <strong>${escapeHtml(to)}</strong>. <a href="/">All mail</a>`
    } As JSON: <a href="/mails">/mails</a>.</p>
${mails.length === 0 ? '<p>No mail yet.</p>' : table}`,
    '<meta http-equiv="refresh" content="5">',
  )
}

/** One email: its text, its links, and its HTML in a frame in which no script runs. */
export function mailPage(mail: Mail): string {
  const { number, from, to, subject, date, at, text, html, links } = mail
  const facts: [string, string][] = [
    ['From', from],
    ['To', to.join(', ')],
    ['Dated', date ?? 'without a date'],
    ['Received', at],
  ]
  const items = links.map((link) => `<li><a href="${escapeHtml(link)}" target="_blank">${escapeHtml(link)}</a>`)
  return document(
    subject === '' ? '(no subject)' : subject,
    `<p><a href="/">All mails</a> · <a href="/mails/${number}">JSON</a> · <a href="/mails/${number}.eml">Source</a></p>
<dl>${facts.map(([name, value]) => `<dt>${name}<dd>${escapeHtml(value)}`).join('')}</dl>
<h2>Text</h2>
<pre>${escapeHtml(text)}</pre>
<h2>Links</h2>
${items.length === 0 ? '<p>None.</p>' : `<ul>${items.join('')}</ul>`}
<h2>HTML</h2>
${html === null ? '<p>None.</p>' : frame(html)}`,
  )
}

function frame(html: string): string {
  const content = escapeHtml(`<base target="_blank">${html}`)
  return `<iframe title="The mail's HTML" sandbox="allow-popups allow-popups-to-escape-sandbox" srcdoc="${content}"></iframe>`
}

function document(title: string, body: string, head = ''): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
${head}
<title>${escapeHtml(title)}</title>
<style>
  :root { color-scheme: light dark; }
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem;
    color: light-dark(#1c2430, #e3e7ee); background: light-dark(#fff, #14181f); }
  a { color: light-dark(#1858b8, #86b4f5); }
  h1 { font-size: 1.3rem; } h2 { font-size: 1rem; margin: 1.5rem 0 .3rem; }
  table { border-collapse: collapse; width: 100%; }
  th, td { text-align: left; vertical-align: top; padding: .4rem .8rem .4rem 0; overflow-wrap: anywhere;
    border-bottom: 1px solid light-dark(#d5dae2, #333b48); }
  time { white-space: nowrap; }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: .2rem 1rem; } dd { margin: 0; overflow-wrap: anywhere; }
  dt { color: light-dark(#556070, #9aa5b5); }
  pre { background: light-dark(#f4f6f9, #1c222c); padding: .6rem; white-space: pre-wrap; overflow-wrap: anywhere; border-radius: .3rem; }
  li { overflow-wrap: anywhere; }
  iframe { width: 100%; height: 30rem; border: 1px solid light-dark(#d5dae2, #333b48); border-radius: .3rem; }
  button { margin-top: 1rem; font: inherit; }
</style>
<h1>${escapeHtml(title)}</h1>
${body}
</html>
`
}
