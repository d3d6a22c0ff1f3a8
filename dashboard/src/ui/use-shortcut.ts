import { useHotkeys, useLocalStorage } from '@mantine/hooks'

/**
 * Whether single-key shortcuts are on. People who use speech input, or whose hands shake, can turn them off (WCAG 2.1.4). Stored in the browser.
 */
export function useSingleKeys(): readonly [isOn: boolean, set: (isOn: boolean) => void] {
  const [isOn, set] = useLocalStorage({
    key: 'zonewright-single-keys',
    defaultValue: true,
    getInitialValueInEffect: false,
  })
  return [isOn, set]
}

/** A single-key shortcut, outside fields and while no dialog is open. */
export function useShortcut(key: string, act: () => void): void {
  const [isOn] = useSingleKeys()
  const unlessInDialog = (): void => {
    if (!document.querySelector('[role=dialog]')) act()
  }
  useHotkeys(isOn ? [[key, unlessInDialog]] : [])
}
