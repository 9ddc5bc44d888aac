// The page of the console.
export {};
