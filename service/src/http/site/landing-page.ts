import { type Html, html } from '../reference/html.ts'

/** The price of one year of a domain below a TLD, as text. */
export interface TldPrice {
  readonly tld: string
  readonly register: string
  readonly renew: string
}

/** A name as a search shows it. */
export interface FoundName {
  readonly name: string
  readonly available: boolean
  readonly isTaken: boolean
  readonly message: string | null
  readonly register: string | null
  readonly renew: string | null
}

/** The main part of the page for people who are not signed in. */
export function landingPage(prices: readonly TldPrice[]): Html {
  const isSelling = prices.length > 0
  return html`<main id="content" class="landing">
<section class="hero">
<h1>Your domain and its DNS in one place</h1>
<p class="lead">Find a name, point it to your website and email, and see each change live within seconds.</p>
${isSelling ? searchForm('') : html`<p class="actions center"><a class="button" href="/app/sign-up">Create an account</a></p>`}
<small>Do you already have a domain? <a href="/app/sign-up">Use our DNS</a>, and stay with your registrar.</small>
</section>
${isSelling ? pricesOf(prices) : html``}
<section class="tinted"><div class="band">
<h2>What you get</h2>
<p>Everything that a domain needs, for one website or for ten thousand zones.</p>
<div class="features">
${features.map(({ title, says }) => html`<div><h3>${{ text: title }}</h3><p>${{ text: says }}</p></div>`)}
</div>
</div></section>
<section class="band center">
<h2>Start in five minutes</h2>
<p>We show you each step, from the first record to a working website.</p>
<p class="actions center"><a class="button" href="/app/sign-up">Create an account</a> <a class="button quiet-button" href="/docs/quick-start">Read the quick start</a></p>
</section>
</main>`
}

const features = [
  {
    title: 'Changes that are live in seconds',
    says: 'Each change reaches every nameserver within seconds. You see where it is live, and can undo it with one click.',
  },
  {
    title: 'A guide for each step',
    says: 'We find the records at your current provider, name your registrar, and email you when your domain works.',
  },
  {
    title: 'Presets for email and websites',
    says: 'Set up common mail and web services with their records, and see in a checklist what is missing.',
  },
  {
    title: 'History and undo',
    says: 'Each version of a zone is kept, with who changed it. Restore any of them.',
  },
  {
    title: 'An API for everything',
    says: 'Certificates, dynamic DNS, Terraform and other programs work with keys that can do only what they need.',
  },
  {
    title: 'Signed webhooks',
    says: 'Your programs learn of each change, with retries and a log of every delivery.',
  },
] as const

function pricesOf(prices: readonly TldPrice[]): Html {
  return html`<section class="band" aria-labelledby="prices">
<h2 id="prices">Prices per year</h2>
<p>Prices include all taxes. A transfer adds a year to the registration.</p>
<ul class="tlds">
${prices.map(
  ({ tld, register, renew }) =>
    html`<li><b>.${{ text: tld }}</b><span class="price">${{ text: register }}</span><span class="then">then ${{ text: renew }} a year</span></li>`,
)}
</ul>
</section>`
}

/** The main part of the page with the result of a search. `found` is a sentence if there is none. */
export function searchPage(query: string, found: readonly FoundName[] | string): Html {
  return html`<main id="content" class="landing">
<section class="band narrow">
<h1>Find a domain</h1>
${searchForm(query)}
${typeof found === 'string' ? html`<p class="search-note" role="status">${{ text: found }}</p>` : resultsOf(found)}
</section>
</main>`
}

function resultsOf(found: readonly FoundName[]): Html {
  return html`<ul class="found" aria-label="Names">
${found.map(
  ({ name, available, isTaken, message, register, renew }) => html`<li>
<div><b>${{ text: name }}</b>${available ? html`` : html`<span class="why">${{ text: message ?? 'It is not available.' }}</span>`}</div>
${
  available && register !== null
    ? html`<div class="cost"><b>${{ text: register }}</b>${renew === null ? html`` : html`<span class="why">then ${{ text: renew }} a year</span>`}</div>
<a class="button" href="/app/buy/${{ text: encodeURIComponent(name) }}" aria-label="Buy ${{ text: name }}">Buy</a>`
    : isTaken
      ? html`<span></span><a class="button quiet-button" href="/app/buy/${{ text: encodeURIComponent(name) }}?kind=transfer" aria-label="Transfer ${{ text: name }} here">Transfer</a>`
      : html``
}
</li>`,
)}
</ul>`
}

function searchForm(query: string): Html {
  return html`<form class="find" action="/search" method="get" role="search">
<input type="search" name="q" value="${{ text: query }}" aria-label="Name" placeholder="my-shop" autocomplete="off" autocapitalize="none" spellcheck="false" maxlength="200" required>
<button class="button" type="submit">Search</button>
</form>`
}
