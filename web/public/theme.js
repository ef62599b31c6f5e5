// Runs before the first paint, so that a dark page never flashes white.
(function () {
  var dark = window.matchMedia('(prefers-color-scheme: dark)');
  function show() {
    var wish = null;
    try {
      wish = localStorage.getItem('purlieu.theme');
    } catch {
      // a browser may keep no storage; then the system's wish counts
    }
    var theme = wish === 'light' || wish === 'dark' ? wish : dark.matches ? 'dark' : 'light';
    document.documentElement.dataset.theme = theme;
    var meta = document.querySelector('meta[name="theme-color"]');
    if (meta) meta.setAttribute('content', theme === 'dark' ? '#16181c' : '#faf8f4');
  }
  show();
  dark.addEventListener('change', show);
  window.addEventListener('purlieu-theme', show);
})();
