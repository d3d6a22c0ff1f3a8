import { Alert, type CSSVariablesResolver, createTheme, type MantineColorsTuple, Tooltip } from '@mantine/core'

const green: MantineColorsTuple = [
  '#e9f7f1',
  '#d3ece1',
  '#a5d9c3',
  '#74c5a3',
  '#4db588',
  '#35ab77',
  '#279a69',
  '#177f54',
  '#0b6e4f',
  '#005a3c',
]

/** The theme: system fonts, a green that is legible on white and on black (WCAG 2.2 §1.4.3), and slightly rounded corners. */
export const theme = createTheme({
  primaryColor: 'green',
  colors: { green },
  primaryShade: { light: 8, dark: 8 },
  autoContrast: true,
  defaultRadius: 'md',
  cursorType: 'pointer',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Open Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace',
  headings: {
    fontWeight: '650',
    sizes: { h1: { fontSize: '1.5rem' }, h2: { fontSize: '1.15rem' }, h3: { fontSize: '1rem' } },
  },
  components: {
    // The tints of badges, because Mantine's own are too bright in dark mode.
    Alert: Alert.extend({
      vars: (_theme, { color }) => ({
        root: color === 'orange' || color === 'red' ? { '--alert-bg': `var(--${color}-ground)` } : {},
      }),
    }),
    Tooltip: Tooltip.extend({ defaultProps: { withArrow: true, events: { hover: true, focus: true, touch: true } } }),
  },
})

/** Replacements for colors of Mantine that have too little contrast (WCAG 2.2 §1.4.3). */
export const readableColours: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#596069',
    '--mantine-color-placeholder': '#6b727a',
    '--mantine-color-anchor': '#0b6e4f',
    '--mantine-color-error': '#c01f1f',
  },
  dark: {
    '--mantine-color-dimmed': '#a3aab3',
    '--mantine-color-placeholder': '#a3aab3',
    '--mantine-color-anchor': '#74c5a3',
    '--mantine-color-error': '#ff9a9a',
  },
})
