import {
  type Content,
  type Document,
  type MediaType,
  type Operation,
  type Parameter,
  type Response,
  responseOf,
  type Schema,
} from './document.ts'
import { type Html, html, inline, nothing, prose } from './html.ts'
import { noteOf, shapeTable, typeOf } from './shape.ts'
import { style } from './style.ts'

/** An operation with its method and path. */
interface Placed {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

/**
 * The reference of an OpenAPI document as one page of HTML: a list of all operations on the left, each of them with its parameters, shapes, examples
 * and errors, then the webhooks, then the objects that several of them use.
 *
 * `hasSite`: the documentation and the dashboard are on the same site. The page has no script. Anchors are the operations' ids; a browser's own
 * search also finds collapsed content.
 */
export function referencePage(document: Document, hasSite: boolean): string {
  const { info, tags, components } = document
  const placed = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
  const sections = tags.map(({ name }) => ({
    name,
    of: placed.filter(({ operation }) => operation.tags.includes(name)),
  }))
  const webhooks = Object.values(document.webhooks).map(({ post }) => post)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${{ text: info.title }} reference</title>
<style>${style as Html}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header><p class="site"><a href="#top">${{ text: info.title }}</a></p>${hasSite ? html`<p><a href="/docs">Docs</a> <a href="/app/">Dashboard</a></p>` : nothing}</header>
<nav aria-label="Reference">
<ul class="first"><li><a href="#top">Introduction</a></li></ul>
${sections.map((section) => navigation(section.name, section.of))}
<details><summary>Webhook events</summary><ul>${webhooks.map(({ operationId }) => html`<li><a href="#event-${{ text: operationId }}">${{ text: operationId }}</a></li>`)}</ul></details>
<details><summary>Objects</summary><ul>${Object.keys(components.schemas).map((name) => html`<li><a href="#object-${{ text: name }}">${{ text: name }}</a></li>`)}</ul></details>
</nav>
<main id="content" tabindex="-1">
${introduction(document)}
${sections.map(
  (
    section,
  ) => html`<section aria-labelledby="tag-${{ text: section.name }}"><h2 id="tag-${{ text: section.name }}">${{ text: section.name }}</h2>
${section.of.map((one) => operationHtml(one, document))}</section>
`,
)}
<section aria-labelledby="events"><h2 id="events">Webhook events</h2>
<p>Each is sent as a POST to the webhook endpoints that subscribe to it. Any 2xx response within 10 seconds accepts the event. Otherwise the delivery is retried.</p>
${headerTable(webhooks[0]?.parameters ?? [])}
${webhooks.map((webhook) => webhookHtml(webhook))}</section>
<section aria-labelledby="objects"><h2 id="objects">Objects</h2>
${Object.entries(components.schemas).map(([name, schema]) => objectHtml(name, schema))}</section>
</main>
</body>
</html>
`
}

function navigation(tag: string, placed: readonly Placed[]): Html {
  return html`<details open><summary>${{ text: tag }}</summary><ul>${placed.map(
    ({ method, operation }) =>
      html`<li><a href="#${{ text: operation.operationId }}">${methodHtml(method)}${{ text: operation.summary }}</a></li>
`,
  )}</ul></details>
`
}

function methodHtml(method: string): Html {
  return html`<span class="method ${{ text: method.toLowerCase() }}">${{ text: method }}</span> `
}

function introduction({ info, servers, components }: Document): Html {
  const url = servers[0]?.url ?? ''
  const { key } = components.securitySchemes
  return html`<section id="top"><h1>${{ text: info.title }}</h1>
<p class="lead">Zones, records, domains, orders and webhooks over HTTP and JSON. Every path is below <code>${{ text: url }}</code>. This page is generated from <a href="${{ text: url }}/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
<h2 id="authentication">Authentication</h2>
<p>${inline(key?.description ?? '')} The dashboard uses a session cookie instead. Each operation lists who can call it.</p>
<pre tabindex="0" aria-label="A request"><code>GET ${{ text: url }}/zones HTTP/1.1
Authorization: Bearer svc_live_YOUR_KEY</code></pre>
<h2 id="errors">Errors</h2>
<p>Every error response has the same form. <code>code</code> is for programs and does not change. Each code has one status. <code>message</code> is for people. <code>details</code> lists each problem with its place in the request. Include <code>request_id</code> when you contact support.</p>
<pre tabindex="0" aria-label="An error"><code>${{ text: JSON.stringify(components.examples['validation_failed']?.value, undefined, 2) }}</code></pre>
</section>
`
}

function operationHtml({ method, path, operation }: Placed, document: Document): Html {
  const { operationId, summary, description, parameters, requestBody } = operation
  const responses = Object.entries(operation.responses).map(
    ([status, response]) => [status, responseOf(response, document)] as const,
  )
  const paragraphs = description.split('\n\n')
  // The contract puts it last.
  const who = paragraphs.pop() ?? ''
  return html`<article id="${{ text: operationId }}" aria-labelledby="${{ text: operationId }}-title">
<h3 id="${{ text: operationId }}-title"><a href="#${{ text: operationId }}">${{ text: summary }}</a></h3>
<p class="endpoint">${methodHtml(method)}<code>${{ text: (document.servers[0]?.url ?? '') + path }}</code></p>
${prose(paragraphs.join('\n\n')).filter((paragraph) => paragraph !== '<p></p>')}
<p class="who">${inline(who)}</p>
${parameterTable(parameters)}
${requestBody ? bodyHtml('Request', requestBody.content) : nothing}
${responses.filter(([status]) => Number(status) < 400).map(([status, response]) => responseHtml(status, response))}
${errorTable(responses)}
</article>
`
}

function parameterTable(parameters: readonly Parameter[]): Html {
  if (parameters.length === 0) return nothing
  return html`<table>
<caption>Parameters</caption>
<thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Description</th></tr></thead>
<tbody>${parameters.map(
    ({ name, in: where, required, schema, description }) =>
      html`<tr><th scope="row"><code>${{ text: name }}</code> <small>${{ text: where }}</small>${required ? html` <small class="required">required</small>` : nothing}</th><td>${typeOf(schema)}</td><td>${noteOf(schema, description ?? schema.description)}</td></tr>
`,
  )}</tbody></table>
`
}

function headerTable(parameters: readonly Parameter[]): Html {
  return html`<table>
<caption>Headers of each event</caption>
<thead><tr><th scope="col">Header</th><th scope="col">What it says</th></tr></thead>
<tbody>${parameters.map(({ name, description }) => html`<tr><th scope="row"><code>${{ text: name }}</code></th><td>${inline(description ?? '')}</td></tr>`)}</tbody></table>
`
}

function bodyHtml(title: string, content: Content): Html {
  return html`${Object.entries(content).map(([type, media]) => {
    const members = html`<details><summary>Fields</summary>${shapeTable(media.schema, `${title}: fields`)}</details>`
    return html`<h4>${{ text: title }} <small>${{ text: type }}</small></h4>
${examplesOf(media).map((example) => exampleHtml(example, `${title}: an example`))}
${type === 'application/json' ? members : nothing}
`
  })}`
}

function examplesOf({ example, examples }: MediaType): unknown[] {
  return examples === undefined ? [example] : Object.values(examples).map(({ value }) => value)
}

function responseHtml(status: string, { content, headers }: Response): Html {
  const title = `Response ${status}`
  const body =
    content === undefined ? html`<h4>${{ text: title }} <small>no body</small></h4>` : bodyHtml(title, content)
  return html`${body}${headerList(Object.keys(headers ?? {}))}`
}

function headerList(names: readonly string[]): Html {
  return html`<p>Headers: ${names.map((name, i) => html`${{ text: i === 0 ? '' : ', ' }}<code>${{ text: name }}</code>`)}</p>
`
}

function errorTable(responses: readonly (readonly [status: string, Response])[]): Html {
  const errors = responses.filter(([status]) => Number(status) >= 400)
  if (errors.length === 0) return nothing
  return html`<details><summary>Errors: ${{ text: errors.map(([status]) => status).join(', ') }}</summary>
<table>
<caption>Errors</caption>
<thead><tr><th scope="col">Status</th><th scope="col">Codes</th></tr></thead>
<tbody>${errors.map(([status, { description }]) => html`<tr><th scope="row">${{ text: status }}</th><td>${inline(description)}</td></tr>`)}</tbody></table></details>
`
}

function webhookHtml({ operationId, summary, requestBody }: Operation): Html {
  const { schema = {}, example } = requestBody?.content['application/json'] ?? {}
  return html`<article id="event-${{ text: operationId }}" aria-labelledby="event-${{ text: operationId }}-title">
<h3 id="event-${{ text: operationId }}-title"><a href="#event-${{ text: operationId }}"><code>${{ text: operationId }}</code></a></h3>
<p>${inline(summary)}</p>
${exampleHtml(example, `${operationId}: an example`)}
<details><summary>Fields</summary>${shapeTable(schema, `${operationId}: fields`)}</details>
</article>
`
}

function objectHtml(name: string, schema: Schema): Html {
  return html`<article id="object-${{ text: name }}" aria-labelledby="object-${{ text: name }}-title">
<h3 id="object-${{ text: name }}-title"><a href="#object-${{ text: name }}">${{ text: name }}</a></h3>
${prose(schema.description ?? '').filter((paragraph) => paragraph !== '<p></p>')}
${shapeTable(schema, `${name}: fields`)}
<details><summary>Example</summary>${exampleHtml(schema.example, `${name}: an example`)}</details>
</article>
`
}

function exampleHtml(example: unknown, label: string): Html {
  const text = typeof example === 'string' ? example : JSON.stringify(example, undefined, 2)
  return html`<pre tabindex="0" aria-label="${{ text: label }}"><code>${{ text }}</code></pre>
`
}
