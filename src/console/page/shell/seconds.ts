import { useEffect, useState } from 'preact/hooks';

/** Current time in ms since the Unix epoch, updated every second. */
export function useSeconds(): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
