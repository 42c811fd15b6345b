"""Words of the pages: sentences, reasons, arithmetic, glossary."""
