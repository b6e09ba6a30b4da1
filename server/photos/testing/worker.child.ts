import { importPhotos } from "../import-photos";

// Imports photos until the parent kills this process.
console.log("working");
while (await importPhotos(new Date()));
