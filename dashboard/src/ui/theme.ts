import {
  Alert,
  Collapse,
  Combobox,
  type CSSVariablesResolver,
  createTheme,
  type MantineColorsTuple,
  Menu,
  ModalRoot,
  Tooltip,
} from '@mantine/core'
import { brand } from '../util/brand.ts'

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

/** The grounds, lines and texts of dark pages, in the tint of `app.css` and of the shell: Mantine's own grays have none. */
const dark: MantineColorsTuple = [
  '#c9cdd2',
  '#b4b9c0',
  '#808790',
  '#666d76',
  '#3b3f45',
  '#32363b',
  '#292c30',
  '#1f2124',
  '#1a1c1e',
  '#121314',
]

/** The shades of the operator's color, from the lightest to the darkest: the ninth is the color itself. */
function shadesOf(color: string): MantineColorsTuple {
  const lighter = (share: number): string => mixed(color, 255, share)
  return [
    ...([lighter(0.92), lighter(0.83), lighter(0.66), lighter(0.5), lighter(0.36)] as const),
    ...([lighter(0.26), lighter(0.17), lighter(0.08), color, mixed(color, 0, 0.2)] as const),
  ]
}

function mixed(color: string, other: number, share: number): string {
  const channels = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
  return `#${channels
    .map((value) =>
      Math.round(value + (other - value) * share)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
}

/** The duration of animations, in milliseconds (design: product, "Looks"). */
const motion = 120

/**
 * The theme: system fonts, a green that is legible on white and on black (WCAG 2.2 §1.4.3), and slightly rounded corners. DejaVu Sans is for Linux
 * systems whose font lacks the sign ₦.
 */
export const theme = createTheme({
  primaryColor: 'green',
  colors: { green: brand.color === null ? green : shadesOf(brand.color), dark },
  primaryShade: { light: 8, dark: 8 },
  autoContrast: true,
  defaultRadius: 'md',
  cursorType: 'pointer',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Open Sans", "DejaVu Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace',
  headings: {
    fontWeight: '650',
    sizes: { h1: { fontSize: '1.5rem' }, h2: { fontSize: '1.15rem' }, h3: { fontSize: '1rem' } },
  },
  components: {
    // A list scrolls to its chosen option before it is placed. In the page, that moves the page: on a phone, the field may leave the window.
    Combobox: Combobox.extend({ defaultProps: { floatingStrategy: 'fixed' } }),
    // The tints of badges, because Mantine's own are too bright in dark mode.
    Alert: Alert.extend({
      vars: (_theme, { color }) => ({
        root: color === 'orange' || color === 'red' ? { '--alert-bg': `var(--${color}-ground)` } : {},
      }),
    }),
    Collapse: Collapse.extend({ defaultProps: { transitionDuration: motion } }),
    Menu: Menu.extend({ defaultProps: { transitionProps: { duration: motion } } }),
    ModalRoot: ModalRoot.extend({ defaultProps: { transitionProps: { duration: motion } } }),
    Tooltip: Tooltip.extend({ defaultProps: { withArrow: true, events: { hover: true, focus: true, touch: true } } }),
  },
})

/** Replacements for colors of Mantine that have too little contrast (WCAG 2.2 §1.4.3). */
export const readableColours: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#596069',
    '--mantine-color-placeholder': '#6b727a',
    '--mantine-color-anchor': 'var(--brand, #0b6e4f)',
    '--mantine-color-error': '#c01f1f',
  },
  dark: {
    '--mantine-color-dimmed': '#a3aab3',
    '--mantine-color-placeholder': '#a3aab3',
    '--mantine-color-anchor': 'var(--brand-dark, #74c5a3)',
    '--mantine-color-error': '#ff9a9a',
    // Mantine's own are almost black, with white text, so the current page and buttons did not stand out.
    '--mantine-color-gray-light': 'var(--mantine-color-dark-6)',
    '--mantine-color-gray-light-hover': 'var(--mantine-color-dark-5)',
    '--mantine-color-green-light': 'color-mix(in srgb, var(--mantine-color-green-8) 30%, #1f2124)',
    '--mantine-color-green-light-hover': 'color-mix(in srgb, var(--mantine-color-green-8) 40%, #1f2124)',
    '--mantine-color-green-light-color': 'var(--mantine-color-green-3)',
  },
})
