/** Which page is shown. Links are plain links; this only spares them the reload. */

import { tick } from 'svelte';

export const route = $state({ path: location.pathname, hash: location.hash });

function sync(): void {
  route.path = location.pathname;
  route.hash = location.hash;
}

window.addEventListener('popstate', sync);
window.addEventListener('hashchange', sync);

export function go(path: string, replace = false): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', path);
  sync();
  window.scrollTo(0, 0);
  // whoever reads the page aloud begins with its content, once a dialog that led here has gone
  void tick().then(() => document.getElementById('main')?.focus({ preventScroll: true }));
}

export function setHash(hash: string): void {
  history.replaceState(null, '', location.pathname + hash);
  route.hash = location.hash;
}

document.addEventListener('click', (event) => {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    return;
  const link = (event.target as Element | null)?.closest?.('a');
  if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
  if (link.pathname.startsWith('/api/')) return;
  if (link.pathname === location.pathname && link.hash) return;
  event.preventDefault();
  go(link.pathname + link.search + link.hash);
});
