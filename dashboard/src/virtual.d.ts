/** Made by build/contract-plugin.ts out of the contract's route table. */
declare module 'virtual:contract-routes' {
  export const routes: Readonly<
    Record<string, { readonly method: string; readonly path: string; readonly raw?: string }>
  >
}
