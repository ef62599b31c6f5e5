/** A clock's face. */

export function clockText(ms: number): string {
  const left = Math.max(0, ms);
  const seconds = Math.floor(left / 1000);
  const [days, hours, minutes] = [
    Math.floor(seconds / 86400),
    Math.floor(seconds / 3600) % 24,
    Math.floor(seconds / 60) % 60,
  ];
  if (days > 0) return `${days} d ${hours} h`;
  if (seconds >= 3600) return `${hours} h ${minutes} min`;
  if (seconds >= 10) return `${minutes}:${String(seconds % 60).padStart(2, '0')}`;
  return (Math.floor(left / 100) / 10).toFixed(1);
}
