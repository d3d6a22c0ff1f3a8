/** The whole style of the reference page, light and dark. Backgrounds, lines and texts have the colors of the documentation. */
export const style = `
:root { color-scheme: light dark; --text: #16191d; --soft: #596069; --back: #ffffff; --raised: #f6f8f7; --line: #e3e7e5; --link: #0b6e4f; --mark: #e6f4ee;
  --get: #0b6e4f; --post: #1a56b0; --put: #8a4b00; --patch: #6a3ab2; --delete: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --text: #e6e8eb; --soft: #a3aab3; --back: #17181a; --raised: #1f2124; --line: #2e3237; --link: #74c5a3; --mark: #1c2a23;
  --get: #74c5a3; --post: #8ab8ff; --put: #f0b46a; --patch: #c9a8ff; --delete: #ff9b93; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 4.75rem; }
body { margin: 0; color: var(--text); background: var(--back); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  display: grid; grid-template: auto 1fr / 20rem minmax(0, 1fr); }
a { color: var(--link); }
a:focus-visible, summary:focus-visible, pre:focus-visible, main:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: 1rem; z-index: 1; padding: .5rem 1rem; background: var(--back); }
header { grid-area: 1 / 1 / 2 / 3; position: sticky; top: 0; display: flex; align-items: center; justify-content: space-between; gap: 1rem; height: 3.75rem; padding: 0 1.25rem;
  background: var(--back); border-bottom: 1px solid var(--line); }
header p { margin: 0; display: flex; gap: 1.25rem; }
header a { color: var(--soft); text-decoration: none; }
header a:hover { color: var(--text); text-decoration: underline; }
header .site a { color: inherit; font-weight: 650; }
nav { grid-area: 2 / 1; position: sticky; top: 3.75rem; align-self: start; height: calc(100vh - 3.75rem); overflow-y: auto; padding: .75rem 1.25rem 3rem; background: var(--raised);
  border-right: 1px solid var(--line); font-size: .875rem; line-height: 1.35; }
nav summary { padding: .6rem 0 .35rem; font-weight: 650; cursor: pointer; }
nav ul { list-style: none; margin: 0 0 .4rem; padding: 0; }
nav li a { display: flex; gap: .55rem; align-items: baseline; padding: .28rem .4rem; margin: 0 -.4rem; border-radius: .3rem; color: inherit; text-decoration: none; overflow-wrap: anywhere; }
nav li a:hover { background: var(--mark); }
nav .method { flex: 0 0 3.3rem; font-size: .68rem; }
main { grid-area: 2 / 2; padding: 2rem clamp(1rem, 4vw, 3.5rem) 6rem; max-width: 62rem; outline: none; }
h1 { margin: 0 0 .5rem; font-size: 2rem; line-height: 1.2; }
h2 { margin: 3.5rem 0 1rem; font-size: 1.5rem; padding-bottom: .4rem; border-bottom: 1px solid var(--line); }
#top h2 { margin-top: 2rem; font-size: 1.2rem; border: 0; }
h3 { margin: 0 0 .5rem; font-size: 1.15rem; }
h3 a { color: inherit; text-decoration: none; }
h3 a:hover { text-decoration: underline; }
h4 { margin: 1.4rem 0 .5rem; font-size: .95rem; }
p { margin: .5rem 0; }
.lead { font-size: 1.05rem; color: var(--soft); }
article { margin: 0 0 1.75rem; padding: 1.25rem 1.4rem; border: 1px solid var(--line); border-radius: .6rem; }
article:target { border-color: var(--link); box-shadow: 0 0 0 1px var(--link); }
.endpoint { display: flex; gap: .6rem; align-items: baseline; padding: .45rem .7rem; background: var(--raised); border-radius: .4rem; }
.endpoint code { background: none; padding: 0; }
.method { font: 650 .78rem/1.4 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace; }
.get { color: var(--get); } .post { color: var(--post); } .put { color: var(--put); } .patch { color: var(--patch); } .delete { color: var(--delete); }
.who { color: var(--soft); font-size: .925rem; }
code { font: .875em/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace; background: var(--raised); padding: .1em .3em; border-radius: .25em; overflow-wrap: anywhere; }
pre { margin: .5rem 0; padding: .8rem 1rem; max-height: 26rem; overflow: auto; background: var(--raised); border: 1px solid var(--line); border-radius: .4rem; font-size: .95rem; }
pre code { background: none; padding: 0; overflow-wrap: normal; }
details > summary { cursor: pointer; }
article details > summary { margin: .6rem 0; color: var(--link); font-size: .925rem; }
table { width: 100%; border-collapse: collapse; font-size: .9rem; margin: .6rem 0; }
caption { text-align: left; font-weight: 650; padding: .3rem 0; }
th, td { text-align: left; vertical-align: top; padding: .45rem .7rem .45rem 0; border-top: 1px solid var(--line); }
thead th { border-top: 0; color: var(--soft); font-weight: 500; }
tbody th { font-weight: 400; width: 30%; }
small { color: var(--soft); font-size: .8rem; font-weight: 400; }
.required { color: var(--delete); }
@media (max-width: 60rem) {
  body { display: block; }
  html { scroll-padding-top: 1rem; }
  header { position: static; }
  nav { position: static; height: auto; max-height: 36vh; padding-bottom: 1rem; border-right: 0; border-bottom: 1px solid var(--line); }
  main { padding-top: 1.25rem; }
  article { padding: 1rem; }
  table, tbody, tr, th, td { display: block; width: auto; }
  thead { display: none; }
  tbody tr { padding: .5rem 0; border-top: 1px solid var(--line); }
  tbody th, td { border: 0; padding: .1rem 0; width: auto; }
}
@media print { header, nav, .skip { display: none; } body { display: block; } pre { max-height: none; } }
`
