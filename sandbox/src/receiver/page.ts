import { escapeHtml } from '../web/escape-html.ts'
import type { Received } from './inbox.ts'

/** The page that shows the received requests. It fetches only the list, from `/requests`, once a second. */
export function page(received: readonly Received[]): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Webhooks received</title>
<style>
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1c2430; }
  h1 { font-size: 1.3rem; }
  article { border: 1px solid #d5dae2; border-left: .4rem solid #2b8a3e; border-radius: .3rem; margin: 1rem 0; padding: .6rem 1rem; }
  article.doubted { border-left-color: #c92a2a; }
  h2 { font-size: 1rem; margin: 0; }
  p { margin: .2rem 0; color: #556070; }
  strong { color: #2b8a3e; } .doubted strong { color: #c92a2a; }
  pre { background: #f4f6f9; padding: .6rem; overflow-x: auto; border-radius: .3rem; font-size: 13px; }
</style>
<h1>Webhooks received</h1>
<p>The last requests of every receiver, the newest first. As JSON: <a href="/log">/log</a>.</p>
<main id="requests">${requestList(received)}</main>
<script>
  const list = document.getElementById('requests')
  let shown = ''
  setInterval(async () => {
    try {
      const text = await (await fetch('/requests')).text()
      if (text === shown) return
      const open = new Set([...list.querySelectorAll('details[open]')].map((each) => each.id))
      list.innerHTML = shown = text
      for (const each of list.querySelectorAll('details')) each.open = open.has(each.id)
    } catch {}
  }, 1000)
</script>
</html>
`
}

const shownRequests = 100

/** The list of requests as HTML, the newest first; everything from outside is escaped. */
export function requestList(received: readonly Received[]): string {
  if (received.length === 0) return '<p>Nothing yet.</p>'
  return received.slice(-shownRequests).reverse().map(article).join('\n')
}

function article(request: Received): string {
  const { number, receiver, at, verified, doubt, repeated, status, event_type: type, event_id: id } = request
  return `<article class="${verified ? 'verified' : 'doubted'}">
<h2>${escapeHtml(type ?? 'no event type')}</h2>
<p><strong>${verified ? 'Verified' : `Not verified: ${escapeHtml(doubt ?? '')}`}</strong>${repeated ? ' · seen before' : ''} · answered ${status ?? 'nothing'} · #${number} · ${escapeHtml(at)}</p>
<p>/hooks/${escapeHtml(receiver)} · ${escapeHtml(id ?? 'no event id')}</p>
<pre>${escapeHtml(pretty(request.body))}</pre>
<details id="headers-${number}"><summary>Headers</summary><pre>${escapeHtml(JSON.stringify(request.headers, undefined, 2))}</pre></details>
</article>`
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2)
  } catch {
    return body
  }
}
